import { defineServer } from '@mcp/protocol';
import { type DatabaseFile, type DatabasesOptions, type FileOptions, resolveFiles } from '@mcp/sqlite-pool';
import manifest from '../package.json' with { type: 'json' };
import type { Sqlite } from './context.ts';
import { resources } from './resources.ts';
import { hintsFor } from './text/hints.ts';

export type SqliteOptions = FileOptions & DatabasesOptions;

/** Defines a server for the given databases. Throws for a path that does not exist, or is of another kind. */
export function sqlite(options: SqliteOptions) {
  const files = resolveFiles(options);
  const writes = options.allowWrite === true;
  return defineServer({
    name: manifest.name,
    version: manifest.version,
    title: 'SQLite',
    instructions: instructionsFor(files.databases, writes),
    // The module is loaded after the handshake, which does not need it.
    context: async (): Promise<Sqlite> => {
      const { Databases } = await import('@mcp/sqlite-pool');
      const databases = new Databases(files, { ...options, hints: hintsFor(writes) });
      // Starts a process for reading, so that the first query does not wait for its start.
      databases.warm();
      return { databases };
    },
    tools: async () => {
      const { readingTools, writingTools, importingTools, exportingTools, legacyTools } =
        await import('./tools.ts');
      return [
        ...readingTools,
        ...(writes ? writingTools : []),
        ...(writes && files.importDirectory !== undefined ? importingTools : []),
        ...(files.exportDirectory === undefined ? [] : exportingTools),
        ...legacyTools,
      ];
    },
    prompts: async () => (await import('./prompts.ts')).prompts,
    resources,
  });
}

function instructionsFor(files: readonly DatabaseFile[], writes: boolean): string {
  const names = files.map(({ name }) => JSON.stringify(name));
  const which =
    names.length === 1
      ? `The database is ${names[0]}; the argument database is optional.`
      : `The databases are ${names.join(', ')}; name one in the argument database.`;
  const how = writes
    ? 'query reads, write changes; dry_run reports what a write would change.'
    : 'The server is read-only.';
  return `${which} ${how} Integers beyond 2^53 are {"$int":"…"}, bytes {"$blob":base64}, in results and parameters alike.`;
}
