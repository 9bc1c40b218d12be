"""The command line and the service answer what they answered before: tests/golden/answers/README.md."""

from __future__ import annotations

import gzip

import pytest
from tests import (
    answers,
    bulk_answers,
    bulk_refusals,
    class_answers,
    defaults,
    hindrance_answers,
    move_answers,
    notation_answers,
    record_answers,
    service_refusals,
    tree_answers,
)

from forsyth.bulk.verbs import record_rows
from forsyth.record import read


def test_the_command_line_answers_as_before() -> None:
    kept = (answers.FOLDER / "commands.txt").read_text(encoding="utf-8")
    assert "\n\n".join(answers.commands()).splitlines() == kept.splitlines()


def test_commands_describe_themselves_as_before() -> None:
    kept = (answers.FOLDER / "help.txt").read_text(encoding="utf-8")
    assert "\n\n".join(answers.helps()).splitlines() == kept.splitlines()


def test_options_are_declared_as_before() -> None:
    kept = (answers.FOLDER / "options.jsonl").read_text(encoding="utf-8")
    assert list(answers.options()) == kept.splitlines()


def test_commands_about_files_and_records_answer_as_before() -> None:
    kept = bulk_answers.FILE.read_text(encoding="utf-8")
    assert "\n\n".join(bulk_answers.commands()).splitlines() == kept.splitlines()


def test_calls_about_files_and_columns_are_refused_as_before() -> None:
    assert list(bulk_refusals.refusals()) == bulk_refusals.FILE.read_text(encoding="utf-8").splitlines()


def test_the_service_answers_as_before() -> None:
    kept = (answers.FOLDER / "service.jsonl").read_text(encoding="utf-8")
    assert list(answers.service()) == kept.splitlines()


def test_the_service_describes_itself_as_before() -> None:
    kept = gzip.decompress((answers.FOLDER / "openapi.json.gz").read_bytes()).decode()
    assert answers.description() == kept.splitlines()


def test_the_service_refuses_as_before() -> None:
    assert list(service_refusals.refusals()) == service_refusals.FILE.read_text(encoding="utf-8").splitlines()


def test_games_are_detected_as_before() -> None:
    kept = (answers.FOLDER / "detections.jsonl").read_text(encoding="utf-8")
    assert list(answers.detections()) == kept.splitlines()


def test_arguments_that_are_not_given_are_what_they_were_before() -> None:
    kept = defaults.FILE.read_text(encoding="utf-8").splitlines()
    assert len(kept) > 600
    assert defaults.changed(kept) == []


def test_arguments_that_hot_modules_are_not_given_are_what_they_were_before() -> None:
    kept = defaults.HOT_FILE.read_text(encoding="utf-8").splitlines()
    found = defaults.of_hot_modules()
    there = {line.partition("=")[0] for line in found}
    assert len(found) > 100
    assert [line for line in kept if line not in found and line.partition("=")[0] in there] == []


@pytest.mark.parametrize("kernel", [True, False], ids=["by the kernel", "by the reader"])
def test_records_are_read_as_before(kernel: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_rows, "COMPILED", kernel)
    if not kernel:
        monkeypatch.setattr(read, "make_fast_reader", lambda game, mode: None)
        monkeypatch.setattr(read, "get_fast_reader", lambda game, mode: None)
    kept = record_answers.READINGS.read_text(encoding="utf-8").split("\n")[:-1]
    assert list(record_answers.readings()) == kept


def test_commands_in_comments_are_read_as_before() -> None:
    kept = record_answers.COMMANDS.read_text(encoding="utf-8").splitlines()
    assert list(record_answers.comments()) == kept


def test_notations_are_answered_as_before() -> None:
    kept = notation_answers.FILE.read_text(encoding="utf-8").split("\n")[:-1]
    assert list(notation_answers.answers()) == kept


def test_the_classes_for_programs_answer_as_before() -> None:
    kept = class_answers.FILE.read_text(encoding="utf-8").split("\n")[:-1]
    assert list(class_answers.answers()) == kept


def test_odd_positions_have_the_moves_they_had_before() -> None:
    kept = move_answers.FILE.read_text(encoding="utf-8").splitlines()
    assert list(move_answers.all_answers()) == kept


def test_moves_are_impossible_for_the_reasons_they_were_before() -> None:
    kept = hindrance_answers.FILE.read_text(encoding="utf-8").splitlines()
    assert list(hindrance_answers.answers()) == kept


def test_trees_of_moves_are_edited_as_before() -> None:
    kept = tree_answers.FILE.read_text(encoding="utf-8").splitlines()
    assert list(tree_answers.answers()) == kept
