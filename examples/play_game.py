"""Play the moves given as arguments, and print the board and the result or the legal moves.

python examples/play_game.py e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7
"""

import sys

import forsyth


def main(moves: list[str]) -> None:
    """Play a game of chess from the start position. Exit with an error if a move is illegal."""
    match = forsyth.Match("chess")
    for text in moves:
        try:
            ply = match.play(text)
        except forsyth.MoveError as error:
            sys.exit(str(error))
        print(f"{match.game.side_to_move(ply.before)} plays {ply.text}")
    print(forsyth.draw.text(match.game.scene(match.position)))
    print(match)
    if match.outcome is None:
        print(f"{len(match.moves())} legal moves: {', '.join(match.texts())}")
    else:
        print(f"{match.result}, {match.outcome.reason}")


if __name__ == "__main__":
    main(sys.argv[1:])
