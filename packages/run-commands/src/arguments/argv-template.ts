import { isObject } from '@mcp/kit';
import { type Path, suggestion, type ValueReader } from '@mcp/kit/jsonc';
import { type ArgumentSchema, shown, type Value, type Values } from './argument-schema.ts';

/** One argument of the program, or several that depend on a caller's argument. */
export type Piece = Element | Condition;

/** One argument of the program: fixed texts, and between them the values of the caller's arguments. */
interface Element {
  readonly parts: readonly Part[];
}
type Part = { readonly text: string } | { readonly argument: string };

/** Pieces that are left out if the caller's argument `if` has no value, or has the value false. */
interface Condition {
  readonly if: string;
  readonly pieces: readonly Piece[];
}

type Schemas = { readonly [name: string]: ArgumentSchema };

/** Reads the `argv` of a command. The names of the arguments that it uses are added to `used`. */
export function readPieces(
  given: unknown,
  path: Path,
  { schemas, used, reader }: { schemas: Schemas; used: Set<string>; reader: ValueReader },
): Piece[] {
  const context = { schemas, used, reader };
  return reader.list(given, path).map((each, index): Piece => {
    const at = [...path, index];
    if (!isObject(each)) return { parts: readParts(each, at, context) };
    const known = reader.object(each, at, ['if', 'argv']);
    const name = reader.text(known?.['if'], [...at, 'if']) ?? '';
    if (name !== '') checkName(name, [...at, 'if'], context);
    return { if: name, pieces: readPieces(known?.['argv'], [...at, 'argv'], context) };
  });
}

interface ReadContext {
  readonly schemas: Schemas;
  readonly used: Set<string>;
  readonly reader: ValueReader;
}

function readParts(given: unknown, path: Path, context: ReadContext): Part[] {
  const { reader, schemas } = context;
  if (given === '') return [];
  const text = reader.text(given, path) ?? '';
  const parts: Part[] = [];
  for (const [found, doubled, name, rest] of text.matchAll(/(\{\{|\}\})|\{([^{}]*)\}|([^{}]+|[{}])/g)) {
    if (name !== undefined) {
      checkName(name, path, context);
      parts.push({ argument: name });
    } else if (rest === '{' || rest === '}') {
      reader.fault(path, `A single "${rest}"; write "${rest}${rest}" for the character itself`);
    } else parts.push({ text: doubled?.[0] ?? found });
  }
  const lists = parts.filter((part) => 'argument' in part && schemas[part.argument]?.type === 'array');
  if (lists.length > 1) reader.fault(path, 'Two lists in one text; place each in a text of its own');
  return parts;
}

function checkName(name: string, path: Path, { schemas, used, reader }: ReadContext): void {
  used.add(name);
  if (!Object.hasOwn(schemas, name))
    reader.fault(path, `No such argument: ${shown(name)}; ${suggestion(name, Object.keys(schemas))}`);
}

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
