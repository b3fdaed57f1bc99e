import { type ArgumentSchema, shown, type Value, type Values } from './argument-schema.ts';

/** One argument of the program, or several that depend on a caller's argument. */
export type Piece = Element | Condition;

/** One argument of the program: fixed texts, and between them the values of the caller's arguments. */
interface Element {
  readonly parts: readonly Part[];
}
export type Part = { readonly text: string } | { readonly argument: string };

/** Pieces that are left out if the argument whose name is in `if` has no value, or has the value false. */
interface Condition {
  readonly if: string;
  readonly pieces: readonly Piece[];
}

export type Schemas = { readonly [name: string]: ArgumentSchema };

/**
 * Returns the program's arguments. A piece is left out if one of its values is missing, and repeated for each
 * item of a list. Throws if an argument would start with `-` although the schema does not allow that.
 */
export function fillPieces(pieces: readonly Piece[], values: Values, schemas: Schemas): string[] {
  return pieces.flatMap((piece) => {
    if ('if' in piece) return isGiven(values[piece.if]) ? fillPieces(piece.pieces, values, schemas) : [];
    return fillElement(piece, values, schemas);
  });
}

function isGiven(value: Values[string] | undefined): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

function fillElement({ parts }: Element, values: Values, schemas: Schemas): string[] {
  let filled = [''];
  for (const part of parts) {
    const value = 'text' in part ? part.text : values[part.argument];
    if (value === undefined) return [];
    const each: readonly Value[] = Array.isArray(value) ? value : [value as Value];
    filled = each.flatMap((one) => filled.map((text) => `${text}${one}`));
  }
  for (const text of filled) refuseDash(text, parts, schemas);
  return filled;
}

function refuseDash(text: string, parts: readonly Part[], schemas: Schemas): void {
  const [first] = parts;
  if (!text.startsWith('-') || first === undefined || 'text' in first) return;
  for (const part of parts) {
    if ('text' in part) continue;
    const schema = schemas[part.argument];
    const one = schema?.items ?? schema;
    if (one?.allowDash || one?.enum) continue;
    throw new Error(
      `"${part.argument}" must not start with "-", because the program could take it for an option: ${shown(text)}; write a path as ${shown(`./${text}`)}`,
    );
  }
}
