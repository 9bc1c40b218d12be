"""Waits until a page answers with the title of Forsyth, two minutes at most: `wait_for_page.py URL`."""

import sys
import time
import urllib.error
import urllib.request

for _ in range(240):
    try:
        with urllib.request.urlopen(sys.argv[1], timeout=5) as answer:
            sys.exit(0 if b"<title>Forsyth" in answer.read() else "The page that answers is not Forsyth's.")
    except (urllib.error.URLError, ConnectionError):
        time.sleep(0.5)
sys.exit("No page answered within two minutes.")
