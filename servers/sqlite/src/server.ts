import { defineServer } from '@mcp/protocol';
import { type DatabasesOptions, type FileOptions, resolveFiles, type StoredQuery } from '@mcp/sqlite-pool';
import manifest from '../package.json' with { type: 'json' };
import type { Sqlite } from './context.ts';
import { allowedQueries } from './input/allowed-queries.ts';
import { resources } from './resources.ts';
import { skills } from './skills.ts';
import { views } from './views.ts';
import { instructionsFor } from './text/instructions.ts';
import { hintsFor } from './text/hints.ts';

/** The default of `maxBytes`, in bytes. */
const defaultMaxBytes = 1_048_576;

export type SqliteOptions = FileOptions &
  DatabasesOptions & {
    /** The operator's own queries, which become tools; those that write only with `allowWrite`. */
    readonly queries?: readonly StoredQuery[] | undefined;
    /**
     * Whether the server uses copies of the databases, which it makes before the first use and deletes when
     * the process exits. Defaults to false.
     */
    readonly temporary?: boolean | undefined;
    /** Whether answers are structured content too; defaults to false. */
    readonly structured?: boolean | undefined;
  };

/**
 * Defines a server for the given databases. Throws for a path that does not exist, or that is a directory in
 * place of a file, or the reverse.
 */
export function sqlite(options: SqliteOptions) {
  const files = resolveFiles(options);
  const writes = options.allowWrite === true;
  const queries = allowedQueries(options.queries ?? [], {
    databases: files.databases.map(({ name }) => name),
    writes,
    warn: options.warn,
  });
  return defineServer({
    name: manifest.name,
    version: manifest.version,
    title: 'SQLite',
    instructions: instructionsFor({
      databases: files.databases,
      writes,
      readsFiles: files.importDirectory !== undefined,
    }),
    // The module is loaded after the handshake, which does not need it.
    context: async (): Promise<Sqlite> => {
      const { Databases, temporaryCopy } = await import('@mcp/sqlite-pool');
      const used = options.temporary === true ? temporaryCopy(files) : files;
      const databases = new Databases(used, { ...options, hints: hintsFor(writes) });
      // Starts a process for reading, so that the first query does not wait for its start.
      databases.warm();
      return { databases };
    },
    tools: async () =>
      (await import('./tools.ts')).toolsFor({
        maxBytes: options.maxBytes ?? defaultMaxBytes,
        structured: options.structured ?? false,
        writes,
        imports: files.importDirectory !== undefined,
        exports: files.exportDirectory !== undefined,
        queries,
      }),
    prompts: async () => (await import('./prompts.ts')).prompts,
    resources,
    // The skill changes databases.
    extensions: writes ? [skills, views] : [views],
  });
}
