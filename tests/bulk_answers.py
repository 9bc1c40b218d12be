"""What commands about files, records, indexes and stores answer, as it is kept.

`python -m tests.bulk_answers` writes it anew, for a change that is meant; read the difference before it is
kept. tests/golden/answers/README.md says what it is for.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from typing import Final

from tests.answers import FOLDER, Command, told
from tests.bulk.example_records import LICHESS, ODDITIES

import forsyth

FILE: Final = FOLDER / "bulk_commands.txt"

_START: Final = forsyth.game("chess").start
_E4: Final = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
_ROOKS: Final = "4k3/8/8/8/8/8/4P3/R3K2R w KQ - 12 30"
_PAWNS: Final = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
_KNIGHT: Final = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"
_BROKEN: Final = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_ILLEGAL: Final = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"
_CLUB: Final = """[Event "Club"]
[Site "Here"]
[Date "2024.01.31"]
[Round "2"]
[White "Anna"]
[Black "Bela"]
[WhiteElo "2400"]
[BlackElo "2300"]

1. e4 {[%clk 0:05:00] [%eval 0.2]} e5 {[%clk 0:04:59.5]} 2. Nf3 Nc6 1-0

[Date "2023.??.??"]
[White "Carla"]
[Black "Dora"]
[BlackElo "1800"]

1. e4 c5 0-1

[Date "2024.02.01"]
[White "Emil"]

1. d4 d5 1/2-1/2

[White "Gerd"]
[Variant "Crazyhouse"]

1. e4 d5 2. exd5 *

[White "Hans"]
[WhiteElo "?"]

1. e4 e5 2. Nf3 *

1. e4 *
"""

FILES: Final = {
    "club.pgn": _CLUB,
    "server.pgn": LICHESS,
    "bad.pgn": ODDITIES["a bad move"],
    "odd.pgn": _CLUB.replace("2. Nf3 Nc6", "2. Nf4 Nc6"),
    "none.pgn": "\n",
    "rows.csv": f"fen,id,elo\n{_START},1,2000\n{_BROKEN},2,\n{_ILLEGAL},3,1500\n,4,7\n{_ROOKS},5,1999.5\n"
    f"{_START} ,6,2100\n{_PAWNS},7,2001\n",
    "texts.txt": "\n".join((_START, _E4, _PAWNS, "", "# a comment", _BROKEN)) + "\n",
    "twins.csv": f"fen,rank\n{_START},1\n{_START},3\n{_E4},2\n{_E4},\n{_KNIGHT},5\nx,9\n",
    "more.csv": f"fen\n{_E4}\n",
    "semi.csv": f"{_START};1\n{_E4};2\n",
    "lines.epd": f'{_PAWNS[:-4]} id "one"; bm e4;\n{_BROKEN[:-4]} id "two";\n',
    "saved.jsonl": "".join(
        json.dumps(one) + "\n"
        for one in (
            {"text": _START, "name": "The start", "tags": ["one", "two"], "note": "A note."},
            {"text": _E4},
            {"text": _PAWNS, "name": "Pawns"},
            {"text": _BROKEN, "name": "x"},
            {"text": forsyth.game("azul").start, "name": "Tiles", "tags": []},
        )
    ),
    "wrong.jsonl": json.dumps({"text": _START, "name": 5}) + "\n",
    "empty.csv": "",
    "head.csv": "fen\n",
    "blank.txt": "\n\n",
    "nonsense.txt": "nonsense\nmore nonsense\n",
    "counts.csv": f"fen,count,word\n{_START},1,a\n{_E4},2,b\n",
    "nul.txt": f"{_START}\n\0\n",
    "double.csv": f"fen,fen\n{_START},x\n",
    "two.csv": "a,b\nx,y\n",
    "late.jsonl": json.dumps({"fen": _START}) + "\n" + json.dumps({"fen": _E4, "new": 1}) + "\n",
    "commas.jsonl": json.dumps({"text": _START, "name": "x", "tags": ["a,b"]}) + "\n",
}
"""What lies in the directory in which the commands are run."""

_COMMANDS: Final = rf"""
games club.pgn
games club.pgn --moves uci --tags White,WhiteElo,*
games club.pgn --moves san --tags White,Date --where "WhiteElo >= 2400 or result = '1/2-1/2'"
games club.pgn --where "plies < 3 and White is not null" --tags White
games club.pgn --where "variant = 'crazyhouse'" --tags Variant
games club.pgn --variant crazyhouse --tags White --moves uci
games club.pgn --json -o games.jsonl
games club.pgn bad.pgn -o both.jsonl
games bad.pgn --quiet --json --game chess
games bad.pgn
games bad.pgn --quiet --game chess
games none.pgn --game chess
games none.pgn
games club.pgn -o back.pgn
games club.pgn -o games.csv
games club.pgn --to pgn --quiet
games club.pgn --game go
games club.pgn --game azul
games club.pgn --moves lan
games club.pgn --tags White,White
games club.pgn --where "White >"
games rows.csv
games missing.pgn
games --in pgn rows.csv
positions club.pgn
positions club.pgn --as fen,key,packed --moves san --tags White,WhiteElo
positions club.pgn --every 2 --from-ply 1 --moves uci
positions club.pgn --every 0
positions club.pgn --from-ply -1
positions club.pgn --as png
positions club.pgn --unique --json -o once.csv
positions club.pgn --unique --as key -o keys.jsonl
positions club.pgn server.pgn --where "BlackElo < 2000" --tags Black -o some.csv
positions server.pgn -o server.epd
positions club.pgn --as planes -o planes.npy
positions bad.pgn --as key --quiet --game chess
index club.pgn -o book --material --json
index club.pgn odd.pgn bad.pgn -o three
index odd.pgn -o odd --json
index club.pgn -o house --variant crazyhouse
index club.pgn -o book
index none.pgn -o nothing --game chess
index -o x
index club.pgn -o azul --game azul --material
index --merge book book -o twice
index --merge book three --json -o other
index --merge book house -o mixed
index --merge book -o single --game chess
index --merge club.pgn -o x
index --merge book none -o x
explore start --index book
explore start --index book --json
explore start --index book --limit 1
explore start --index book --limit 1 --json
explore start --index house
explore start --index three
explore start --index twice
explore start --index nothing
explore start "{_E4}" "{_PAWNS}" nonsense --index book
explore start "{_E4}" "{_PAWNS}" nonsense --index book --json
explore --file texts.txt --index book
explore start --index none
explore start --limit -1 --index book
find "{_E4}" --index book
find "{_E4}" --index book --json
find "{_E4}" --index book --limit 1
find "{_E4}" --index book --limit 0 --json
find start "{_PAWNS}" nonsense --index book
find start "{_PAWNS}" nonsense --index book --json
find --file texts.txt --index book --limit 1
find start --index twice --limit 2
find --material KQRRBBNNPPPPPPPPkqrrbbnnpppppppp --index book
find --material KQRRBBNNPPPPPPPPkqrrbbnnpppppppp --index book --json --limit 2
find --material Kk --index book
find --material K --index book
find --material XYZ --index book
find --material Kk start --index book
find --material Kk --file texts.txt --index book
find --material Kk --index three
filter rows.csv --ok
filter rows.csv --bad
filter rows.csv --bad --code board.digit
filter rows.csv --code check.opposite
filter rows.csv --code check.opposite --no-legality
filter rows.csv --code nothing.at_all
filter rows.csv --material KRRPvK
filter rows.csv --material KvKRRP
filter rows.csv --material KPK
filter rows.csv --material x
filter rows.csv --where "elo >= 2000"
filter rows.csv --where "phase <= 10 and side_to_move = 'White'" --json -o ends.csv
filter rows.csv --where "material = 'KPvK'" --select id
filter rows.csv --where "ok = false or code is not null" --select id,fen
filter rows.csv --where "nothing = 1"
filter rows.csv --where "elo ="
filter rows.csv --ok --where "id < 6" --quiet
filter rows.csv
filter rows.csv --ok --no-legality --select id --to jsonl
material rows.csv --quiet
material rows.csv --prefix m_ --select id,m_material --to jsonl
material texts.txt --game cotulenh
apply rows.csv --verbs key,material,split --quiet
apply rows.csv --verbs scan,features --prefix a_ --to jsonl
apply rows.csv --verbs pack,key --json -o applied.jsonl
apply rows.csv --verbs dedupe
apply rows.csv --verbs key,key
apply rows.csv --verbs ""
sample twins.csv --fraction 0.5 --seed 3
sample twins.csv --fraction 1
sample twins.csv --fraction 2
split twins.csv --sets a=0.5,b=0.5 --quiet
split twins.csv --sets a=0.5,b=0.6
split twins.csv --seed 7 --prefix s_
dedupe twins.csv
dedupe twins.csv --keep best --by rank
dedupe twins.csv --keep best
dedupe twins.csv --by rank
dedupe twins.csv --invalid drop --json -o once_more.csv
dedupe twins.csv --against more.csv --invalid drop
dedupe twins.csv --keep best --by none
key twins.csv --prefix k_
key twins.csv --select key
key semi.csv --no-header --delimiter ";"
key semi.csv --no-header --delimiter ";" --column column_1 --untyped --select key
key twins.csv --column rank
key lines.epd
normalise lines.epd
normalise rows.csv --mode lenient --to jsonl
normalise rows.csv --mode strict --quiet
pack rows.csv --to jsonl --width 40
pack rows.csv --to jsonl --width 5
pack rows.csv --to csv --select packed
pack rows.csv -o packed.jsonl
unpack packed.jsonl --game chess --prefix un_ --select id,un_fen
unpack packed.jsonl --game chess
unpack packed.jsonl --prefix un_
features rows.csv --select id,phase --to jsonl
planes rows.csv --rows kept.csv -o rows.npy
planes rows.csv -o planes.jsonl --quiet --select id
scan texts.txt
scan texts.txt --json
scan texts.txt --no-legality --mode strict -o scanned.jsonl
scan texts.txt --prefix s_ -o prefixed.csv
scan lines.epd --json
unpack rows.csv --game chess --prefix un_
key twins.csv more.csv -o mixed.csv
key rows.csv twins.csv -o mixed.jsonl
index club.pgn -o s3://x/y
index - --resume -o x
index --merge book -o alone
index club.pgn -o club.pgn
dedupe counts.csv --count
dedupe twins.csv --count --quiet
dedupe twins.csv --keep best --by fen
dedupe texts.txt --count --to text
key blank.txt
key nonsense.txt
key two.csv
key empty.csv
key head.csv
key nul.txt
key double.csv
key late.jsonl
key rows.csv -o x.npy
key rows.csv --to text
normalise rows.csv --to text
normalise texts.txt --to text --quiet
planes rows.csv -o x.npy --rows y.npy
planes rows.csv -o x.csv --rows y.csv
key rows.csv --select none
key rows.csv --select id,id
games club.pgn -o g.npy
games club.pgn -o g.txt
positions club.pgn --as key -o x.txt
positions club.pgn --as key -o x.epd
positions club.pgn -o p.npy
split twins.csv --separate
split twins.csv --separate --sets a/b=1 -o x.csv
split twins.csv --separate --sets one=0.5,other=0.5 --quiet -o set.csv
split twins.csv --sets a
split twins.csv --sets a=0.5,a=0.5
split twins.csv --sets a=x
split twins.csv --by none
split twins.csv --by rank --twins
split twins.csv --twins --quiet
split rows.csv --by elo --quiet
sample twins.csv --fraction 0
key rows.csv -o .
key rows.csv -o nowhere/x.csv
key rows.csv -o x.unknown
key rows.csv --to nothing
key rows.csv --in nothing
key texts.unknown
key "nowhere/*.csv"
key semi.csv --delimiter ";;"
key semi.csv --delimiter ""
key rows.csv --resume
key - --resume -o x.csv --game chess
filter rows.csv --where "elo > 'x'"
filter rows.csv --where "fen = 5"
filter rows.csv --where "((((((((((((((((((((((((((((((((((elo > 5))))))))))))))))))))))))))))))))))"
filter rows.csv --where "elo > 5 and and"
filter rows.csv --where "elo > 5)"
filter rows.csv --where "elo ~ 5"
filter rows.csv --where "'open"
filter rows.csv --where ""
apply rows.csv --verbs key,nothing
apply rows.csv --verbs normalise,normalise
features rows.csv --column id
features rows.csv --game nothing
features rows.csv --game chess --variant nothing
material counts.csv --game azul
export --store rows.csv
import --store rows.csv start
export --store nowhere/x.sqlite
find start --index rows.csv
import --store kept.sqlite --in jsonl --file saved.jsonl
import --store kept.sqlite --in jsonl --file saved.jsonl --tag three --tag four --json
import --store kept.sqlite --file texts.txt --json
import --store kept.sqlite "{_KNIGHT}" nonsense
import --store kept.sqlite --in jsonl --file wrong.jsonl
import --store kept.sqlite --in jsonl --file commas.jsonl
export --store kept.sqlite
export --store kept.sqlite --game azul
export --store kept.sqlite --tag three --json
export --store kept.sqlite --query start
export --store kept.sqlite --texts
export --store kept.sqlite --texts --game azul
export --store kept.sqlite --tag a,b
export --store none.sqlite
"""

_CHANGES: Final = re.compile(r'(?<="asked": )\d+|(?<="id": )"[^"]*"|(?<=ated": )"[^"]*"|/[^ ]*/tmp\w{8}/')
"""What differs with the build, or from one run to the next: counts, identifiers, times, the directory."""
_ONLY_COMPILED: Final = re.compile(r", \d+ read by the slower record reader")


def _commands() -> Iterator[Command]:
    for line in _COMMANDS.strip().splitlines():
        yield shlex.split(line), ""
    yield ["games", "-", "--tags", "White"], _CLUB
    yield ["positions", "--game", "chess", "--as", "key"], "1. e4 *\n"
    yield ["index", "-", "-o", "given"], _CLUB
    yield ["filter", "--ok", "--in", "text"], f"{_START}\n{_BROKEN}\n"


def commands() -> Iterator[str]:
    """Every command with its answer, then the files that commands have written."""
    for answer in told(FILES, _commands(), (".csv", ".jsonl", ".pgn", ".epd")):
        yield _CHANGES.sub("…", _ONLY_COMPILED.sub("", answer))


if __name__ == "__main__":
    FILE.write_text("\n\n".join(commands()) + "\n", encoding="utf-8", newline="\n")
