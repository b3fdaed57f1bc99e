import { unquoted } from './statement-guard.ts';
import { type Token, tokenize } from './tokenizer.ts';

export interface ColumnUses {
  readonly table: string;
  /** The columns that are compared by `=`, IS or IN. */
  readonly equal: readonly string[];
  /** The columns that are compared by `<`, `>`, BETWEEN, LIKE or GLOB. */
  readonly range: readonly string[];
  readonly order: readonly string[];
}

type Clause = 'filter' | 'order' | 'other';

const clauses: { readonly [word: string]: Clause } = {
  select: 'other',
  from: 'other',
  set: 'other',
  limit: 'other',
  having: 'other',
  window: 'other',
  union: 'other',
  where: 'filter',
  on: 'filter',
  order: 'order',
  group: 'order',
};

interface Uses {
  readonly equal: Set<string>;
  readonly range: Set<string>;
  readonly order: Set<string>;
}

/**
 * Finds out from tokens, heuristically, how a statement uses columns; scopes of subqueries are ignored. A
 * column without a table name counts for every table of the statement that has such a column.
 */
export function columnUses(
  sql: string,
  tables: ReadonlyMap<string, readonly string[]>,
): readonly ColumnUses[] {
  const tokens = [...tokenize(sql)];
  const aliases = aliasesIn(tokens, [...tables.keys()]);
  const all = new Map<string, Uses>();
  let clause: Clause = 'other';
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'word' && Object.hasOwn(clauses, token.text)) clause = clauses[token.text]!;
    if (clause === 'other' || token.kind === 'other' || tokens[index + 1]?.text === '.') continue;
    const use = clause === 'order' ? 'order' : comparison(tokens, index);
    if (!use) continue;
    const wanted = unquoted(token.text).toLowerCase();
    for (const table of tablesAt(tokens, index, aliases)) {
      const column = tables.get(table)?.find((each) => each.toLowerCase() === wanted);
      if (column === undefined) continue;
      let uses = all.get(table);
      if (!uses) all.set(table, (uses = { equal: new Set(), range: new Set(), order: new Set() }));
      uses[use].add(column);
    }
  }
  return [...all].map(([table, { equal, range, order }]) => ({
    table,
    equal: [...equal],
    range: [...range].filter((column) => !equal.has(column)),
    order: [...order],
  }));
}

/**
 * Returns the tables to which a column may belong: the one that qualifies it, as in `orders.id`, or all
 * tables of the statement.
 */
function tablesAt(
  tokens: readonly Token[],
  index: number,
  aliases: ReadonlyMap<string, string>,
): Iterable<string> {
  if (tokens[index - 1]?.text !== '.') return new Set(aliases.values());
  const table = aliases.get(unquoted(tokens[index - 2]?.text ?? '').toLowerCase());
  return table === undefined ? [] : [table];
}

/** The tables of a statement, keyed by their names and aliases in lower case. */
function aliasesIn(tokens: readonly Token[], names: readonly string[]): ReadonlyMap<string, string> {
  const known = new Map(names.map((name) => [name.toLowerCase(), name]));
  const aliases = new Map<string, string>();
  for (const [index, { kind, text }] of tokens.entries()) {
    const before = tokens[index - 1]?.text ?? '';
    const table = known.get(unquoted(text).toLowerCase());
    if (kind === 'other' || table === undefined || !/^(?:from|join|update|into|,|\.|\()$/.test(before))
      continue;
    aliases.set(table.toLowerCase(), table);
    const at = tokens[index + 1]?.text === 'as' ? index + 2 : index + 1;
    const alias = tokens[at];
    if (alias && alias.kind !== 'other') aliases.set(unquoted(alias.text).toLowerCase(), table);
  }
  return aliases;
}

function comparison(tokens: readonly Token[], index: number): 'equal' | 'range' | undefined {
  const next = tokens[index + 1]?.text ?? '';
  const afterNext = tokens[index + 2]?.text ?? '';
  const start = tokens[index - 1]?.text === '.' ? index - 2 : index;
  const previous = tokens[start - 1]?.text ?? '';
  const beforePrevious = tokens[start - 2]?.text ?? '';
  if (next === '=' || next === 'in' || (next === 'is' && afterNext !== 'not')) return 'equal';
  if (previous === '=' && !/^[<>!]$/.test(beforePrevious)) return 'equal';
  if (/^(?:between|like|glob|>)$/.test(next) || (next === '<' && afterNext !== '>')) return 'range';
  const isUnequal = previous === '>' && beforePrevious === '<';
  const comparesOrEqual = previous === '=' && /^[<>]$/.test(beforePrevious);
  return (/^[<>]$/.test(previous) && !isUnequal) || comparesOrEqual ? 'range' : undefined;
}
