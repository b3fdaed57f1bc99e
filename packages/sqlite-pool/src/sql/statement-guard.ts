import { type FailureReason, Refused } from '../errors.ts';
import { type Token, tokenize } from './tokenizer.ts';

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

/** Maximum number of characters of a statement: 1 Mi. */
const maxSqlLength = 1024 * 1024;

/**
 * Throws if SQL does not begin with SELECT, WITH or VALUES. Call it before `prepare`, which already runs a
 * PRAGMA, even after EXPLAIN. SQLite checks later that the statement only reads.
 */
export function assertReading(sql: string): void {
  assertBeginsWith(reading, sql, 'can be run here');
}

/** Like `assertReading`, but accepts every statement of which SQLite can explain the query plan. */
export function assertExplainable(sql: string): void {
  assertBeginsWith(explainable, sql, 'have a query plan');
}

/**
 * Like `assertReading`, but accepts statements that change data or the schema. COMMIT and the like are
 * refused.
 */
export function assertWriting(sql: string): void {
  assertBeginsWith(writing, sql, 'can be run here');
}

function assertBeginsWith(allowed: ReadonlySet<string>, sql: string, what: string): void {
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
  const reason = reasons[text] ?? (writing.has(text) ? 'writes' : undefined);
  const list = new Intl.ListFormat('en-GB').format(Array.from(allowed, (each) => each.toUpperCase()));
  throw new Refused(`Only ${list} ${what}, not ${abbreviated(text)}`, undefined, reason);
}

const reasons: { readonly [word: string]: FailureReason } = {
  pragma: 'pragma',
  explain: 'explain',
  attach: 'attach',
  detach: 'attach',
  begin: 'transaction',
  commit: 'transaction',
  rollback: 'transaction',
  savepoint: 'transaction',
  select: 'reads',
  values: 'reads',
};

function abbreviated(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text.toUpperCase());
}

export interface DataChange {
  readonly verb: 'insert' | 'update' | 'delete' | 'replace';
  /** The name of the table or view, without its schema and quotes. */
  readonly table: string;
  /** Whether the statement itself has a WHERE clause. Those of its subqueries do not count. */
  readonly hasWhere: boolean;
}

const changeVerbs = new Set(['insert', 'update', 'delete', 'replace']);
/** The words that may stand between the verb and the table. */
const beforeTable = new Set(['into', 'from', 'or', 'rollback', 'abort', 'fail', 'ignore', 'replace']);

/** Returns the verb and the target of a statement that changes rows; undefined for other statements. */
export function dataChange(sql: string): DataChange | undefined {
  const tokens = topLevelTokens(sql);
  const at = tokens.findIndex(
    ({ kind, text }, index) => kind === 'word' && changeVerbs.has(text) && !isTableExpression(tokens, index),
  );
  if (at === -1 || !/^(?:with|insert|update|delete|replace)$/.test(tokens[0]!.text)) return undefined;
  let target = at + 1;
  while (beforeTable.has(tokens[target]?.text ?? '')) target++;
  if (tokens[target + 1]?.text === '.') target += 2;
  return {
    verb: tokens[at]!.text as DataChange['verb'],
    table: unquoted(tokens[target]?.text ?? ''),
    hasWhere: tokens.slice(target).some(({ kind, text }) => kind === 'word' && text === 'where'),
  };
}

/** How a statement may lose much data: by DROP, by ALTER … DROP, or by DELETE or UPDATE without WHERE. */
export function destructiveKind(sql: string): 'drop' | 'delete' | 'update' | undefined {
  const [first, ...others] = topLevelTokens(sql).filter(({ kind }) => kind === 'word');
  if (first?.text === 'drop') return 'drop';
  if (first?.text === 'alter') return others.some(({ text }) => text === 'drop') ? 'drop' : undefined;
  const change = dataChange(sql);
  if (!change || change.hasWhere) return undefined;
  return change.verb === 'delete' || change.verb === 'update' ? change.verb : undefined;
}

function topLevelTokens(sql: string): readonly Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const token of tokenize(sql)) {
    if (token.text === ')') depth--;
    if (depth === 0 && token.text !== '(' && token.text !== ')') tokens.push(token);
    if (token.text === '(') depth++;
  }
  return tokens;
}

/** Whether a token is the name of a common table expression. Such a name may be the same word as a verb. */
function isTableExpression(tokens: readonly Token[], index: number): boolean {
  const previous = tokens[index - 1]?.text;
  return previous === 'with' || previous === 'recursive' || previous === ',';
}

/** Returns a name as it is stored in the schema, without quotes. */
export function unquoted(name: string): string {
  const quote = name[0];
  if (quote === '[') return name.slice(1, -1);
  return quote === '"' || quote === "'" || quote === '`'
    ? name.slice(1, -1).replaceAll(quote.repeat(2), quote)
    : name;
}
