import { appendInsight } from './tools/append-insight.ts';
import { describeTable } from './tools/describe-table.ts';
import { explain } from './tools/explain.ts';
import { exportQuery } from './tools/export.ts';
import { importFile } from './tools/import.ts';
import { listTables } from './tools/list-tables.ts';
import { createTable, readQuery, writeQuery } from './tools/legacy-tools.ts';
import { queryUpTo } from './tools/query.ts';
import { search } from './tools/search.ts';
import { write } from './tools/write.ts';

/** Tools that do not change a database. */
export const readingTools = (maxBytes: number) => [
  queryUpTo(maxBytes),
  explain,
  listTables,
  describeTable,
  search,
  appendInsight,
];

/** Published with `--allow-write` only. */
export const writingTools = [write];

/** Published with `--import` only, which needs `--allow-write`. */
export const importingTools = [importFile];

/** Published with `--export` only. */
export const exportingTools = [exportQuery];

/** The tools of the archived official server: callable, but not listed. Writing takes `--allow-write`. */
export const legacyTools = [readQuery, writeQuery, createTable];

/** The names that the operator's own queries and their parameters may not have. */
export const reservedNames = {
  queries: [...readingTools(0), ...writingTools, ...importingTools, ...exportingTools, ...legacyTools].map(
    ({ name }) => name,
  ),
  parameters: ['cursor'],
};
