"""Measure Forsyth and its peers in one run, and print which requirements on speed are met.

The exit status is 0 if every requirement was measured and is met, else 1.
"""

from __future__ import annotations

import argparse
import json
import sys
from time import perf_counter

from bench import azul, cotulenh, kit
from bench.promises import all_met, judge
from bench.report import format_library_table, format_ratio_table, format_remarks, to_json_data
from bench.run import FULL, QUICK, Run


def main(arguments: list[str] | None = None) -> int:
    """Measure and print chess. Return 0 if every requirement is met or `--no-fail` is given, else 1."""
    options = _parse_options(arguments)
    begin = perf_counter()
    run = Run(QUICK if options.quick else FULL, silent=options.json)
    figures = run.figures()
    verdicts = judge(figures)
    facts = run.facts(perf_counter() - begin)
    if options.json:
        print(json.dumps(to_json_data(figures, verdicts, facts), indent=2))
    else:
        tables = format_ratio_table(verdicts), format_library_table(figures, facts["versions"])
        print(*tables, sep="\n\n", end="\n\n")
        print("\n".join(format_remarks(facts)))
    return 0 if options.no_fail or all_met(verdicts) else 1


def run_all() -> int:
    """Measure chess, then the other games, and return the exit status. With `--json` measure only chess."""
    options = _parse_options(None)
    status = main()
    if options.json:
        return status
    for suite in (cotulenh.SUITE, azul.SUITE, kit.SUITE):
        verdicts = suite.judge(quick=options.quick)
        print("", suite.format_ratios(verdicts), sep="\n")
        if not options.no_fail and not all(verdict.is_met for verdict in verdicts):
            status = 1
    return status


def _parse_options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="Measure a part of the corpus in fewer passes (less than 20 s)."
    )
    parser.add_argument(
        "--json", action="store_true", help="Print JSON instead of tables. Measures only chess."
    )
    parser.add_argument(
        "--no-fail", action="store_true", help="Exit with status 0 even if a requirement is not met."
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(run_all())
