import { Refused } from '../errors.ts';
import { tokenize } from './tokenizer.ts';

const reading = new Set(['select', 'with', 'values']);
const explainable = new Set([...reading, 'insert', 'update', 'delete', 'replace']);
const writing = new Set([
  'insert',
  'update',
  'delete',
  'replace',
  'with',
  'create',
  'alter',
  'drop',
  'analyze',
  'reindex',
]);

/** Characters of SQL: 1 Mi. */
const maxSqlLength = 1024 * 1024;

/**
 * Refuses SQL that must not be prepared, because a PRAGMA takes effect in `prepare`, even behind EXPLAIN and before a
 * semicolon. Accepts what begins with SELECT, WITH or VALUES; whether it only reads, SQLite says of the prepared
 * statement.
 */
export function assertReading(sql: string): void {
  assertBeginsWith(reading, sql, 'Only SELECT, WITH and VALUES can be run here');
}

/** The same for statements that EXPLAIN QUERY PLAN accepts. */
export function assertExplainable(sql: string): void {
  assertBeginsWith(
    explainable,
    sql,
    'Only SELECT, WITH, VALUES, INSERT, UPDATE, DELETE and REPLACE have a query plan',
  );
}

/** The same for statements that change data or schema, inside a transaction that they cannot end. */
export function assertWriting(sql: string): void {
  assertBeginsWith(
    writing,
    sql,
    'Only INSERT, UPDATE, DELETE, REPLACE, WITH, CREATE, ALTER, DROP, ANALYZE and REINDEX can be run here',
  );
}

function assertBeginsWith(allowed: ReadonlySet<string>, sql: string, rule: string): void {
  if (sql.includes('\0')) throw new Refused('sql contains a NUL character, after which SQLite reads nothing');
  if (sql.length > maxSqlLength) {
    throw new Refused(
      `sql has ${sql.length} characters; the maximum is ${maxSqlLength}: use params for values`,
    );
  }
  const first = tokenize(sql).next();
  if (first.done) throw new Refused('sql is empty');
  const { kind, text } = first.value;
  if (kind === 'word' && allowed.has(text)) return;
  throw new Refused(`${rule}, not ${abbreviated(text)}${hintFor(text)}`);
}

function abbreviated(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text.toUpperCase());
}

function hintFor(text: string): string {
  if (text === 'pragma') return ': use list_tables, describe_table or explain instead';
  if (text === 'explain') return ': use the tool explain';
  if (text === 'attach' || text === 'detach') return ': name every database on the command line';
  if (text === 'begin' || text === 'commit' || text === 'rollback' || text === 'savepoint') {
    return ': every statement runs in a transaction of its own';
  }
  if (text === 'select' || text === 'values') return ': use the tool query';
  if (writing.has(text)) return ': use the tool write, which needs --allow-write';
  return '';
}

/** Whether a statement may lose much at once: DROP anywhere, DELETE or UPDATE without WHERE. */
export function destructiveKind(sql: string): 'drop' | 'delete' | 'update' | undefined {
  let depth = 0;
  let verb: 'delete' | 'update' | undefined;
  let first: string | undefined;
  let previous = '';
  for (const { kind, text } of tokenize(sql)) {
    if (text === '(') depth++;
    if (text === ')') depth--;
    if (depth > 0) continue;
    // A common table expression may be named like a verb.
    const isName =
      verb === undefined && (previous === 'with' || previous === 'recursive' || previous === ',');
    previous = text;
    if (kind !== 'word' || isName) continue;
    first ??= text;
    if (text === 'drop' && (first === 'drop' || first === 'alter')) return 'drop';
    if (first === 'create' || first === 'insert' || first === 'replace') return undefined;
    if (verb === undefined && (text === 'delete' || text === 'update')) verb = text;
    else if (verb === undefined && (text === 'insert' || text === 'replace')) return undefined;
    else if (text === 'where') return undefined;
  }
  return verb;
}
