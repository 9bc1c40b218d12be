/** The JSON of the service, as far as the page reads it. */

export type Theme = "light" | "dark";
export type Severity = "error" | "warning";
export type Span = readonly [start: number, end: number];

export interface Fix {
  span: Span;
  replacement: string;
  confidence: "certain" | "likely" | "guess";
}

/** One finding. Spans count characters (code points) of the trimmed text. */
export interface Diagnostic {
  code: string;
  severity: Severity;
  span: Span;
  square: string | null;
  message: string;
  field?: number | string;
  family?: string;
  stage?: string;
  fix: Fix | null;
  /** The text inside a wrapped one, and what is wrong with it: spans count in that text. */
  unwrapped?: string;
  inside?: readonly Diagnostic[];
}

export interface Move {
  move: string;
  lan: string;
  from: string | null;
  to: string | null;
  flags: string;
  captured: string | null;
  after: string;
  piece: string | null;
}

export interface Outcome {
  result: string;
  reason: string;
}

export interface PositionView {
  text: string;
  canonical: string;
  game: string;
  variant: string;
  title: string;
  state_id: string;
  key: string;
  side_to_move: string;
  move_number: number | readonly number[];
  outcome: Outcome | null;
  claims: string[];
  moves: Move[];
  actions: string[];
  svg: string;
  description: string;
}

export interface Played {
  number: number;
  player: number | string;
  move: string;
  after: string;
  from: string | null;
  to: string | null;
}

export interface MatchView extends PositionView {
  start: string;
  history: Played[];
  result: string | null;
  record: string;
  at: number;
}

export interface GameInfo {
  name: string;
  title: string;
  variants: string[];
  start: string;
  names: Record<string, string>;
  styles: Record<string, string>;
  examples: Record<string, string>;
  players: string[];
  codes: number;
}

export interface ReadAnswer {
  text: string;
  game: string | null;
  form: string;
  ok: boolean;
  canonical: string | null;
  state_id: string | null;
  key: string | null;
  diagnostics: Diagnostic[];
  position: PositionView | null;
}

export interface FixAnswer {
  text: string;
  game: string | null;
  ok: boolean;
  fixed: string | null;
  diagnostics: Diagnostic[];
}

export interface PaletteEntry {
  symbol: string;
  label: string;
  group: string;
  svg: string;
}

export interface FieldEntry {
  name: string;
  label: string;
  value: string | number | boolean | null;
  kind: string;
  choices?: readonly (string | number | { value: string; label: string })[];
}

export interface EditAnswer {
  text: string;
  diagnostics: Diagnostic[];
  position: PositionView;
  palette: PaletteEntry[];
  fields: FieldEntry[];
}

export interface RecordAnswer {
  ok: boolean;
  game: string;
  variant: string | null;
  tags: Record<string, string>;
  start: string | null;
  moves: string[];
  result: string | null;
  diagnostics: Diagnostic[];
}

export interface Saved {
  id: string | number;
  state_id: string;
  game: string;
  text: string;
  name: string;
  tags: string[];
  note: string | null;
  created: string;
  updated: string;
}

export interface LibraryPage {
  positions: Saved[];
  next: string | null;
  total: number;
}

/** The answer of validate-fen, the call of the component library. */
export interface Issue {
  code: string;
  message: string;
  severity?: Severity;
  component?: string | number | null;
}

export interface ValidationReport {
  valid: boolean;
  errors: readonly Issue[];
  warnings: readonly Issue[];
  format?: string;
  details?: unknown;
  canonical?: string | null;
  error?: string;
}
