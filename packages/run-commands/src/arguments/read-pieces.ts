import { isObject } from '@mcp/kit';
import { type Path, suggestion, type ValueReader } from '@mcp/kit/jsonc';
import { shown } from './argument-schema.ts';
import type { Part, Piece, Schemas } from './argv-template.ts';

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
  if (lists.length > 1) reader.fault(path, 'Two lists in one element; put each into an element of its own');
  return parts;
}

function checkName(name: string, path: Path, { schemas, used, reader }: ReadContext): void {
  used.add(name);
  if (!Object.hasOwn(schemas, name))
    reader.fault(path, `No such argument: ${shown(name)}; ${suggestion(name, Object.keys(schemas))}`);
}
