/** The components for other pages. */
export { FENDisplay, type FENDisplayProps } from "./FENDisplay";
export { FENInput, type Example, type FENInputProps } from "./FENInput";
export { FENManager, type FENManagerProps } from "./FENManager";
export type { Issue, Load, Validate, ValidationReport } from "./state";
