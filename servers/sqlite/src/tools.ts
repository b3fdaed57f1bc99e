import { appendInsight } from './tools/append-insight.ts';
import { describeTable } from './tools/describe-table.ts';
import { explain } from './tools/explain.ts';
import { exportQuery } from './tools/export.ts';
import { listTables } from './tools/list-tables.ts';
import { createTable, readQuery, writeQuery } from './tools/older-names.ts';
import { query } from './tools/query.ts';
import { search } from './tools/search.ts';
import { write } from './tools/write.ts';

/** Tools that change nothing in a database. */
export const readingTools = [query, explain, listTables, describeTable, search, appendInsight];

/** What is published only with `--allow-write`. */
export const writingTools = [write];

/** What is published only with `--export`. */
export const exportingTools = [exportQuery];

/** Not listed; those that write say so where they may not. */
export const olderNames = [readQuery, writeQuery, createTable];
