import { withoutStructuredContent } from '@mcp/protocol';
import type { StoredQuery } from '@mcp/sqlite-pool';
import { appendInsight } from './tools/append-insight.ts';
import { describeTable } from './tools/describe-table.ts';
import { explain } from './tools/explain.ts';
import { exportQuery } from './tools/export.ts';
import { importFile } from './tools/import.ts';
import { listTables } from './tools/list-tables.ts';
import { createTable, readQuery, writeQuery } from './tools/legacy-tools.ts';
import { queryTool } from './tools/query.ts';
import { readResult } from './tools/read-result.ts';
import { readSchema } from './tools/read-schema.ts';
import { search } from './tools/search.ts';
import { storedQuery } from './tools/stored-query.ts';
import { write } from './tools/write.ts';

interface Setting {
  /** Maximum number of bytes of the rows of an answer. */
  readonly maxBytes: number;
  /** Whether answers are structured content too, with schemas in the list. */
  readonly structured: boolean;
  readonly writes: boolean;
  readonly imports: boolean;
  readonly exports: boolean;
  readonly queries: readonly StoredQuery[];
}

/**
 * The tools of a server. Two are for the view alone; the last are those of the archived official server,
 * callable, but not listed.
 */
export function toolsFor({ maxBytes, structured, writes, imports, exports, queries }: Setting) {
  const tools = [
    queryTool({ maxBytes, structured }),
    explain,
    listTables,
    describeTable,
    search,
    appendInsight,
    ...(writes ? [write] : []),
    ...(writes && imports ? [importFile] : []),
    ...(exports ? [exportQuery] : []),
    ...queries.map((query) => storedQuery(query, structured)),
    readResult,
    readSchema,
    readQuery,
    writeQuery,
    createTable,
  ];
  return structured ? tools : tools.map(withoutStructuredContent);
}

const everything = {
  maxBytes: 0,
  structured: false,
  writes: true,
  imports: true,
  exports: true,
  queries: [],
};

/** The names that the operator's own queries and their parameters may not have. */
export const reservedNames = {
  queries: toolsFor(everything).map(({ name }) => name),
  parameters: ['cursor'],
};
