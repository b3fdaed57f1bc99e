import { Refused } from '../errors.ts';
import { tokensOf } from './tokenizer.ts';

const reading = new Set(['select', 'with', 'values']);
const explained = new Set([...reading, 'insert', 'update', 'delete', 'replace']);
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

/** Characters of SQL that are taken: 1 Mi. */
const maxSqlLength = 1024 * 1024;

/**
 * Refuses SQL before it is prepared, for preparing is already running: a PRAGMA takes effect in `prepare`, also
 * behind EXPLAIN and before a semicolon. What comes through begins with SELECT, WITH or VALUES; what it is in
 * truth, SQLite says of the prepared statement.
 */
export function refuseUnlessReading(sql: string): void {
  refuse(sql, reading, 'Only SELECT, WITH and VALUES can be read');
}

/** The same for what EXPLAIN QUERY PLAN may be put before. */
export function refuseUnlessExplained(sql: string): void {
  refuse(sql, explained, 'Only SELECT, WITH, VALUES, INSERT, UPDATE, DELETE and REPLACE have a plan');
}

/** The same for statements that change data or schema, in a transaction that is not theirs to end. */
export function refuseUnlessWriting(sql: string): void {
  refuse(
    sql,
    writing,
    'Only INSERT, UPDATE, DELETE, REPLACE, WITH, CREATE, ALTER, DROP, ANALYZE and REINDEX can be written',
  );
}

function refuse(sql: string, allowed: ReadonlySet<string>, rule: string): void {
  if (sql.includes('\0')) throw new Refused('SQL holds a NUL character: what follows it would not be run');
  if (sql.length > maxSqlLength) {
    throw new Refused(`SQL of ${sql.length} characters is longer than ${maxSqlLength}: use parameters`);
  }
  const first = tokensOf(sql).next();
  if (first.done) throw new Refused('SQL is empty: there is no statement in it');
  const { kind, text } = first.value;
  if (kind === 'word' && allowed.has(text)) return;
  throw new Refused(`${rule}, and not ${shown(text)}${hintFor(text)}`);
}

function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text.toUpperCase());
}

function hintFor(text: string): string {
  if (text === 'pragma') return ': list_tables, describe_table and explain tell what PRAGMAs would';
  if (text === 'explain') return ': use the tool explain';
  if (text === 'attach' || text === 'detach') return ': name databases when the server is started';
  if (text === 'begin' || text === 'commit' || text === 'rollback' || text === 'savepoint') {
    return ': every statement is its own transaction';
  }
  if (text === 'select' || text === 'values') return ': use the tool query';
  if (writing.has(text)) return ': use the tool write, where the server was started with --allow-write';
  return '';
}

/** Whether a statement may take away much at once: DROP anywhere, DELETE or UPDATE without WHERE. */
export function losesMuch(sql: string): 'drop' | 'delete' | 'update' | undefined {
  let depth = 0;
  let verb: 'delete' | 'update' | undefined;
  let first: string | undefined;
  let before = '';
  for (const { kind, text } of tokensOf(sql)) {
    if (text === '(') depth++;
    if (text === ')') depth--;
    if (depth > 0) continue;
    // What WITH calls a table may be called like a verb.
    const isName = verb === undefined && (before === 'with' || before === 'recursive' || before === ',');
    before = text;
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
