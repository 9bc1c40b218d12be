"""Twenty everyday tasks of chess programmers, with Forsyth and with python-chess: `python -m bench.tasks`."""
