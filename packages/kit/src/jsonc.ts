// Parses JSON with comments and trailing commas, and finds the line of each key.
export { readJsonc } from './jsonc/read-jsonc.ts';
export { offsetAt, positionAt } from './jsonc/position.ts';
export type { Document, SyntaxMistake } from './jsonc/document.ts';

// Reads the values of a document that `readJsonc` has parsed, and collects all faults with their lines.
export { type Fault, faultLines, keyText, type Path, suggestion, ValueReader } from './jsonc/value-reader.ts';

// Changes one member of an object in the text of a file, and leaves the rest of the text as it is.
export { removeMember, setMember } from './jsonc/edit-members.ts';
export { duplicateKeys, type DuplicateKey } from './jsonc/duplicate-keys.ts';
