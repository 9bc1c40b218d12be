"""Measure Forsyth and its peers in one run and say which promises about speed are kept.

Exit status 0 when every requirement is met, 1 when one is not or could not be measured.
"""

from __future__ import annotations

import argparse
import json
import sys
from time import perf_counter

from bench import azul, cotulenh, kit
from bench.promises import all_met, judge
from bench.report import as_data, library_table, ratio_table, remarks
from bench.run import FULL, QUICK, Run


def main(arguments: list[str] | None = None) -> int:
    """Run, print, and answer with the exit status."""
    options = _options(arguments)
    begin = perf_counter()
    run = Run(QUICK if options.quick else FULL, silent=options.json)
    figures = run.figures()
    verdicts = judge(figures)
    facts = run.facts(perf_counter() - begin)
    if options.json:
        print(json.dumps(as_data(figures, verdicts, facts), indent=2))
    else:
        print(ratio_table(verdicts), library_table(figures, facts["versions"]), sep="\n\n", end="\n\n")
        print("\n".join(remarks(facts)))
    return 0 if options.no_fail or all_met(verdicts) else 1


def run_all() -> int:
    """Chess beside its peers, then the other games; with ``--json`` chess alone, in one object."""
    options = _options(None)
    status = main()
    if options.json:
        return status
    for suite in (cotulenh.SUITE, azul.SUITE, kit.SUITE):
        verdicts = suite.judge(quick=options.quick)
        print("", suite.ratio_table(verdicts), sep="\n")
        if not options.no_fail and not all(verdict.met for verdict in verdicts):
            status = 1
    return status


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a part of the corpus, few passes, under 20 s")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--no-fail", action="store_true", help="exit status 0 whatever comes out")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(run_all())
