import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { messageOf } from '@mcp/kit';
import { type Document, faultLines, type Path, readJsonc, ValueReader } from '@mcp/kit/jsonc';
import { Refused } from '../errors.ts';
import { hasMoreStatements, placeholdersIn } from '../sql/placeholders.ts';
import { assertReading, assertWriting } from '../sql/statement-guard.ts';
import { readParameter } from './read-parameter.ts';
import type { QueryParameter, StoredQuery } from './stored-query.ts';

/** Thrown if a file of queries cannot be used. The message has a line for each fault. */
export class QueriesError extends Error {
  override readonly name = 'QueriesError';
}

const queryKeys = ['title', 'description', 'sql', 'params', 'database', 'write'];
/** Matches names of tools that hosts accept; `parameterName` matches names of arguments. */
const queryName = /^[A-Za-z][\w-]{0,63}$/;
const parameterName = /^[A-Za-z_]\w{0,63}$/;

/** Names that a query may not have, because the program's own tools, or their arguments, have them. */
export interface ReservedNames {
  readonly queries: readonly string[];
  readonly parameters: readonly string[];
}

/**
 * Reads JSON with comments: `{"queries": {"name": {"description", "sql", "params"}}}`. Throws a
 * `QueriesError` with a line for each fault: its place and what is expected.
 */
export function readQueries(path: string, reserved: ReservedNames): readonly StoredQuery[] {
  const file = basename(path);
  const document = parse(path, file);
  const reader = new ValueReader();
  const known = reader.object(document.root, [], ['$schema', 'queries']);
  if (known && known['queries'] === undefined)
    reader.fault(['queries'], 'Missing: expected the queries by name');
  const queries = reader.entries(known?.['queries'], ['queries']).map(([name, value]) => {
    const at = ['queries', name];
    if (!queryName.test(name))
      reader.fault(at, 'A name has 1 to 64 letters, digits, "_" and "-", and begins with a letter');
    if (reserved.queries.includes(name)) reader.fault(at, 'A tool of the server has this name');
    const place = `${file}:${document.lineOf(at)}`;
    return { name, place, ...readQuery(reader.object(value, at, queryKeys) ?? {}, at, reader, reserved) };
  });
  if (reader.faults.length > 0) throw new QueriesError(faultLines(file, document, reader.faults));
  return queries;
}

function parse(path: string, file: string): Document {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new QueriesError(`Cannot read the queries "${path}": ${messageOf(error)}`);
  }
  const read = readJsonc(text);
  if (!('mistake' in read)) return read;
  const { line, column, message } = read.mistake;
  throw new QueriesError(`${file}:${line}:${column}: ${message}`);
}

function readQuery(
  known: { readonly [key: string]: unknown },
  path: Path,
  reader: ValueReader,
  reserved: ReservedNames,
): Omit<StoredQuery, 'name' | 'place'> {
  const optional = (key: string) =>
    known[key] === undefined ? undefined : reader.text(known[key], [...path, key]);
  const parameters: { [name: string]: QueryParameter } = {};
  for (const [name, value] of reader.entries(known['params'], [...path, 'params'])) {
    const at = [...path, 'params', name];
    if (!parameterName.test(name))
      reader.fault(at, 'A name has 1 to 64 letters, digits and "_", and does not begin with a digit');
    if (reserved.parameters.includes(name))
      reader.fault(at, 'Tools of queries already have an argument of this name');
    // A faulty parameter gets a type, so that its placeholder in the SQL is not reported as a fault, too.
    parameters[name] = readParameter(value, at, reader) ?? { type: 'string' };
  }
  const writes = reader.flag(known['write'], [...path, 'write']) ?? false;
  const statements = readStatements(known['sql'], [...path, 'sql'], { writes, parameters, reader });
  return {
    title: optional('title'),
    description: reader.text(known['description'], [...path, 'description']) ?? '',
    database: optional('database'),
    statements,
    writes,
    parameters,
  };
}

interface StatementsContext {
  readonly writes: boolean;
  readonly parameters: { readonly [name: string]: QueryParameter };
  readonly reader: ValueReader;
}

/** Reads the SQL of a query: one text or, for a query that writes, possibly a list of texts. */
function readStatements(
  value: unknown,
  path: Path,
  { writes, parameters, reader }: StatementsContext,
): readonly string[] {
  const isList = writes && Array.isArray(value);
  const texts = isList ? reader.texts(value, path) : [reader.text(value, path) ?? ''];
  if (texts.length === 0) reader.fault(path, 'Expected at least one statement');
  const used = new Set<string>();
  for (const [index, sql] of texts.entries()) {
    if (sql === '') continue;
    const at = isList ? [...path, index] : path;
    const fault = faultOfStatement(sql, writes);
    if (fault !== undefined) reader.fault(at, fault);
    const { names, hasUnnamed } = placeholdersIn(sql);
    if (hasUnnamed) reader.fault(at, 'Name each placeholder, as in :name, instead of "?"');
    for (const name of names) {
      used.add(name);
      if (!Object.hasOwn(parameters, name))
        reader.fault(at, `The placeholder ":${name}" is none of "params": add it there, with its type`);
    }
  }
  for (const name of Object.keys(parameters).filter((each) => !used.has(each)))
    reader.fault([...path.slice(0, -1), 'params', name], `Not used: write ":${name}" into the SQL`);
  return texts;
}

function faultOfStatement(sql: string, writes: boolean): string | undefined {
  try {
    if (writes) assertWriting(sql);
    else assertReading(sql);
  } catch (error) {
    const isWriting = error instanceof Refused && error.failure.reason === 'writes';
    return isWriting ? `${messageOf(error)}; "write": true allows statements that write` : messageOf(error);
  }
  // CREATE TRIGGER contains semicolons between its statements, so CREATE statements are not checked.
  if (/^\s*create\s/i.test(sql) || !hasMoreStatements(sql)) return undefined;
  return writes ? 'Two statements: write them as a list' : 'Two statements: a query that reads has one';
}
