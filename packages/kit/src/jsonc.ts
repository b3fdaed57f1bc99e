// JSON with comments and trailing commas, with the line of each key.
export { readJsonc } from './jsonc/read-jsonc.ts';
export { offsetAt, positionAt } from './jsonc/position.ts';
export type { Document, SyntaxMistake } from './jsonc/document.ts';

// Its values, read with all of their faults, each with its line.
export { type Fault, faultLines, type Path, suggestion, ValueReader } from './jsonc/value-reader.ts';
