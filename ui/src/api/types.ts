/** The JSON of the service by its short names; generated.ts is made from the service's own description. */

import type { components } from "./generated";

type Schemas = components["schemas"];

export type Theme = "light" | "dark";

/** One finding. Spans count characters (code points) of the trimmed text. */
export type Diagnostic = Schemas["Diagnostic"];
export type Severity = Diagnostic["severity"];
export type Fix = Schemas["Fix"];

export type Move = Schemas["MoveData"];
export type Played = Schemas["Played"];
export type PositionView = Schemas["PositionView"];
export type MatchView = Schemas["MatchView"];
export type GameInfo = Schemas["GameData"];
export type PaletteEntry = Schemas["PaletteData"];
export type FieldEntry = Schemas["FieldData"];
export type Saved = Schemas["SavedData"];

export type ReadRequest = Schemas["ReadRequest"];
export type MatchRequest = Schemas["MatchRequest"];
export type EditRequest = Schemas["EditRequest"];
export type NewRequest = Schemas["NewRequest"];
export type SaveRequest = Schemas["SaveRequest"];
export type ChangeRequest = Schemas["ChangeRequest"];

export type GamesAnswer = Schemas["GamesAnswer"];
export type ReadAnswer = Schemas["ReadAnswer"];
export type FixAnswer = Schemas["FixAnswer"];
export type FormsAnswer = Schemas["FormsAnswer"];
export type EditAnswer = Schemas["EditAnswer"];
export type RecordAnswer = Schemas["RecordAnswer"];
export type LibraryPage = Schemas["LibraryPage"];

/** What the components read of a validation, whoever made it: the service's call validate-fen, or the page's own. */
export type Issue = Pick<Schemas["Issue"], "code" | "message"> & Partial<Pick<Schemas["Issue"], "severity" | "component">>;

export type ValidationReport = Pick<Schemas["Validation"], "valid"> &
  Partial<Pick<Schemas["Validation"], "format" | "details" | "canonical" | "error">> & {
    errors: readonly Issue[];
    warnings: readonly Issue[];
  };
