#!/bin/sh
# What `make tour` shows: the command line at its main jobs. BIN is the folder of the interpreter to use.
set -eu
cd "$(dirname "$0")/.."
: "${BIN:=.venv/bin}"

say() {
    printf '\n# %s\n' "$1"
}

# Show a command as it would be typed, then run it. Status 1 is an answer: some text is not ok.
forsyth() {
    printf '$ forsyth'
    for word; do
        case $word in
            *' '*) printf " '%s'" "$word" ;;
            *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    "$BIN/python" -m forsyth "$@" || [ $? -eq 1 ]
}

say 'Everything that is wrong with a text, at once'
forsyth check 'rnbqkbnr/ppppxppp/8/44/4P3/8/PPPP1PPP/RNBQKBN b KQqk e4 0 1'

say 'A file of texts, repaired where that is safe; every repair and every refusal is reported'
forsyth fix --file examples/positions.txt

say 'A position that cannot be, with its findings marked'
forsyth show '4k3/8/8/8/8/8/4R3/4K3 w - - 0 1'

say 'The legal moves of another'
forsyth moves '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1'

say 'What is installed'
forsyth doctor

printf '\nPlay a game with: %s/forsyth play\nAll commands: %s/forsyth --help\n' "$BIN" "$BIN"
