import { jsonSchema } from '@mcp/protocol';
import type { Explanation, ImportResult, Matches, StatementResult, TableList } from '@mcp/sqlite-pool';

type Json = Parameters<typeof jsonSchema>[0];

const text: Json = { type: 'string' };
const count: Json = { type: 'integer', minimum: 0 };
const yes: Json = { type: 'boolean' };
const list = (items: Json): Json => ({ type: 'array', items });

/** An object with exactly these members; those whose names end with `?` may be missing. */
function object(members: { readonly [name: string]: Json }): Json {
  const entries = Object.entries(members);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
    required: entries.map(([name]) => name).filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  };
}

/** A value of SQLite, as the README describes it under "Values". */
const cell: Json = {
  anyOf: [
    { type: ['null', 'number', 'string'] },
    object({ $int: text }),
    object({ $real: text }),
    object({ $blob: text, bytes: count }),
    object({ $text: text }),
    object({ $cut: text, bytes: count, type: { enum: ['text', 'blob'] } }),
  ],
};

/** Whether lists or texts were shortened, so that an answer stays within its bound. */
const shortened = { 'shortened?': { const: true } };
const summary = {
  name: text,
  kind: { enum: ['table', 'view', 'virtual', 'shadow'] },
  columns: count,
  'rows?': count,
  'more?': yes,
};
const column = object({
  name: text,
  type: text,
  notNull: yes,
  'default?': text,
  'primaryKey?': count,
  'generated?': { enum: ['virtual', 'stored'] },
  'hidden?': yes,
});
const description = object({
  ...summary,
  strict: yes,
  withoutRowid: yes,
  details: list(column),
  foreignKeys: list(object({ columns: list(text), references: text })),
  indexes: list(object({ name: text, unique: yes, columns: list(text) })),
  triggers: list(text),
  sql: text,
  'error?': text,
  ...shortened,
});
const profile = object({
  table: text,
  rows: count,
  'more?': yes,
  columns: list(
    object({
      name: text,
      types: { type: 'object', additionalProperties: count },
      distinct: count,
      least: cell,
      greatest: cell,
      facets: list(object({ value: cell, count })),
    }),
  ),
  'total?': count,
  ...shortened,
});
const plan = list(object({ id: { type: 'integer' }, parent: { type: 'integer' }, detail: text }));

/**
 * A schema for clients. The server does not validate its answers, because their types guarantee the shape.
 */
const described = <Facts>(json: Json) => jsonSchema<Facts>(json, (value) => value as Facts);

export const rowsSchema = described<never>(
  object({
    columns: list(object({ name: text, 'type?': text, 'table?': text })),
    rows: list(list(cell)),
    rowCount: count,
    truncated: yes,
    'nextCursor?': text,
    'comparison?': object({ sql: count, compare: count, onlySql: count, onlyCompare: count }),
    elapsedMs: { type: 'number' },
  }),
);

export const planSchema = described<Explanation>(
  object({ plan, 'advice?': object({ indexes: list(text), plan }), ...shortened }),
);

export const tablesSchema = described<TableList>(
  object({
    tables: list(object(summary)),
    total: count,
    'near?': list(text),
    'nextCursor?': text,
    ...shortened,
  }),
);

/** An answer of `describe_table`. The arguments choose which one of the three members it has. */
export const descriptionSchema = described<object>(
  object({
    'schema?': object({
      tables: list(object({ ...summary, sql: list(text) })),
      total: count,
      'nextCursor?': text,
      ...shortened,
    }),
    'table?': description,
    'profile?': profile,
  }),
);

export const matchesSchema = described<Matches>(
  object({
    matches: list(object({ table: text, 'column?': text, 'rowid?': cell, text })),
    truncated: yes,
    quoted: yes,
    ...shortened,
  }),
);

export interface WriteFacts {
  readonly dryRun: boolean;
  readonly results: readonly Omit<StatementResult, 'loss' | 'loses' | 'digest'>[];
  readonly undo: readonly string[];
  readonly isFinal: boolean;
}

export const writeSchema = described<WriteFacts>(
  object({
    dryRun: yes,
    results: list(
      object({
        changes: count,
        totalChanges: count,
        'lastInsertRowid?': cell,
        'columns?': list(text),
        'rows?': list(list(cell)),
        'returned?': count,
        'schemaChanges?': list(text),
      }),
    ),
    undo: list(text),
    isFinal: yes,
    ...shortened,
  }),
);

export type ImportFacts = ImportResult & { readonly dryRun: boolean };

export const importSchema = described<ImportFacts>(
  object({
    dryRun: yes,
    format: text,
    rows: count,
    columns: list(object({ name: text, type: text, nulls: count })),
    sample: list(list(text)),
    createdDatabase: yes,
    undo: list(text),
    ...shortened,
  }),
);

export const exportSchema = described<{ path: string; bytes: number; rows?: number }>(
  object({ path: text, bytes: count, 'rows?': count }),
);
