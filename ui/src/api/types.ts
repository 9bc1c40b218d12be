/** Short names for the JSON types of the service. `generated.ts` is generated from its OpenAPI description. */

import type { components } from "./generated";

type Schemas = components["schemas"];

export type Theme = "light" | "dark";

/** One error or warning. Its span counts code points of the trimmed text. */
export type Diagnostic = Schemas["Diagnostic"];
export type Severity = Diagnostic["severity"];
export type Fix = Schemas["Fix"];

/** The cells of a board and the pieces on them. */
export type Scene = Schemas["SceneData"];
export type Token = Schemas["TokenData"];

export type Move = Schemas["MoveData"];
export type Played = Schemas["Played"];
export type PositionView = Schemas["PositionView"];
export type MatchView = Schemas["MatchView"];
export type GameInfo = Schemas["GameData"];
export type PaletteEntry = Schemas["PaletteData"];
export type FieldEntry = Schemas["FieldData"];
export type SavedPosition = Schemas["SavedData"];
export type IndexInfo = Schemas["IndexData"];
export type PlayedMove = Schemas["PlayedMove"];
export type IndexedGame = Schemas["IndexedGame"];

export type ReadRequest = Schemas["ReadRequest"];
export type MatchRequest = Schemas["MatchRequest"];
export type EditRequest = Schemas["EditRequest"];
export type NewRequest = Schemas["NewRequest"];
export type SaveRequest = Schemas["SaveRequest"];
export type ChangeRequest = Schemas["ChangeRequest"];

/** The reason why a move is illegal, and the squares involved. */
export type IllegalMove = Schemas["HindranceData"];
/** A named set of squares that can be highlighted, such as the squares that a piece defends. */
export type Overlay = Schemas["OverlayData"];
export type ExplainAnswer = Schemas["ExplainAnswer"];
export type ReachAnswer = Schemas["ReachAnswer"];
export type MoveAnswer = Schemas["MoveAnswer"];
export type GamesAnswer = Schemas["GamesAnswer"];
export type ReadAnswer = Schemas["ReadAnswer"];
export type PartialAnswer = Schemas["PartialAnswer"];
export type PartialRequest = Schemas["PartialRequest"];
export type DiffAnswer = Schemas["DiffAnswer"];
/** The answer for one line of a batch that was checked. */
export type CheckedLine = Omit<ReadAnswer, "position"> & { line: number };
/** The answer for one line of a batch that was repaired. */
export type FixedLine = FixAnswer & { line: number };
export type ExploreAnswer = Schemas["ExploreAnswer"];
export type PlayAnswer = Schemas["PlayAnswer"];
export type FixAnswer = Schemas["FixAnswer"];
export type FormsAnswer = Schemas["FormsAnswer"];
export type EditAnswer = Schemas["EditAnswer"];
export type RecordList = Schemas["RecordListAnswer"];
export type RecordEntry = Schemas["RecordEntry"];
/** A move of a game record with its comments, glyphs and variations. Absent properties are left out. */
export type RecordNode = Schemas["NodeData-Input"];
export type RecordWriteRequest = Schemas["RecordWriteRequest"];
export type RecordAnswer = Schemas["RecordAnswer"];
export type LibraryPage = Schemas["LibraryPage"];

/** One finding of a validation report, from `validate-fen` or from a page's own `validate` function. */
export type Issue = Pick<Schemas["Issue"], "code" | "message"> & Partial<Pick<Schemas["Issue"], "severity" | "component">>;

/** The part of a validation report that the components read. */
export type ValidationReport = Pick<Schemas["Validation"], "valid"> &
  Partial<Pick<Schemas["Validation"], "format" | "details" | "canonical" | "error">> & {
    errors: readonly Issue[];
    warnings: readonly Issue[];
  };
