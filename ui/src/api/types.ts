/** The JSON of the service by its short names; generated.ts is made from the service's own description. */

import type { components } from "./generated";

type Schemas = components["schemas"];

export type Theme = "light" | "dark";

/** One finding. Spans count characters (code points) of the trimmed text. */
export type Diagnostic = Schemas["Diagnostic"];
export type Severity = Diagnostic["severity"];
export type Fix = Schemas["Fix"];

/** What stands where on a board. */
export type Scene = Schemas["SceneData"];
export type Token = Schemas["TokenData"];

export type Move = Schemas["MoveData"];
export type Played = Schemas["Played"];
export type PositionView = Schemas["PositionView"];
export type MatchView = Schemas["MatchView"];
export type GameInfo = Schemas["GameData"];
export type PaletteEntry = Schemas["PaletteData"];
export type FieldEntry = Schemas["FieldData"];
export type Saved = Schemas["SavedData"];
export type IndexInfo = Schemas["IndexData"];
export type PlayedMove = Schemas["PlayedMove"];
export type IndexedGame = Schemas["IndexedGame"];

export type ReadRequest = Schemas["ReadRequest"];
export type MatchRequest = Schemas["MatchRequest"];
export type EditRequest = Schemas["EditRequest"];
export type NewRequest = Schemas["NewRequest"];
export type SaveRequest = Schemas["SaveRequest"];
export type ChangeRequest = Schemas["ChangeRequest"];

/** Why a move is not possible, and the places that matter. */
export type Hindrance = Schemas["HindranceData"];
/** Something that covers places and can be shown. */
export type Overlay = Schemas["OverlayData"];
export type ExplainAnswer = Schemas["ExplainAnswer"];
export type ReachAnswer = Schemas["ReachAnswer"];
export type MoveAnswer = Schemas["MoveAnswer"];
export type GamesAnswer = Schemas["GamesAnswer"];
export type ReadAnswer = Schemas["ReadAnswer"];
export type PartialAnswer = Schemas["PartialAnswer"];
export type PartialRequest = Schemas["PartialRequest"];
export type DiffAnswer = Schemas["DiffAnswer"];
/** A line of a batch: a text that was read and checked, or repaired. */
export type Checked = Omit<ReadAnswer, "position"> & { line: number };
export type Repaired = FixAnswer & { line: number };
export type ExploreAnswer = Schemas["ExploreAnswer"];
export type PlayAnswer = Schemas["PlayAnswer"];
export type FixAnswer = Schemas["FixAnswer"];
export type FormsAnswer = Schemas["FormsAnswer"];
export type EditAnswer = Schemas["EditAnswer"];
export type RecordList = Schemas["RecordListAnswer"];
export type RecordEntry = Schemas["RecordEntry"];
/** A move of a record; what is not said of it is left out. */
export type RecordNode = Schemas["NodeData-Input"];
export type RecordWriteRequest = Schemas["RecordWriteRequest"];
export type RecordAnswer = Schemas["RecordAnswer"];
export type LibraryPage = Schemas["LibraryPage"];

/** What the components read of a validation, whoever made it: the service's call validate-fen, or the page's own. */
export type Issue = Pick<Schemas["Issue"], "code" | "message"> & Partial<Pick<Schemas["Issue"], "severity" | "component">>;

export type ValidationReport = Pick<Schemas["Validation"], "valid"> &
  Partial<Pick<Schemas["Validation"], "format" | "details" | "canonical" | "error">> & {
    errors: readonly Issue[];
    warnings: readonly Issue[];
  };
