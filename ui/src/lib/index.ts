/** The public interface of the package `forsyth-components`. */
export { ApiError, type Connection, type Fetch } from "../api/transport";
export type { Diagnostic, PaletteEntry, PositionView, ReadAnswer, Theme } from "../api/types";
export { Board, type BoardProps } from "./Board";
export { FENDisplay, type FENDisplayProps } from "./FENDisplay";
export { FENInput, type Example, type FENInputProps } from "./FENInput";
export { FENManager, type FENManagerProps } from "./FENManager";
export { ForsythProvider, useForsyth, type ForsythProviderProps, type Surroundings } from "./ForsythProvider";
export { forsythService, type About, type GameState, type Look, type Service } from "./service";
export type { Issue, Load, Validate, ValidationReport } from "./state";
