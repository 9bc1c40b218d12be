"""Wait up to two minutes until a page with the title of Forsyth is served: `wait_for_page.py URL`."""

import sys
import time
import urllib.error
import urllib.request

for _ in range(240):
    try:
        with urllib.request.urlopen(sys.argv[1], timeout=5) as response:
            sys.exit(
                0
                if b"<title>Forsyth" in response.read()
                else "The URL serves a page without the title Forsyth."
            )
    except (urllib.error.URLError, ConnectionError):
        time.sleep(0.5)
sys.exit("No page was served within two minutes.")
