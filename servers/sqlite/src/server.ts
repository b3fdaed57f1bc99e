import { defineServer } from '@mcp/protocol';
import manifest from '../package.json' with { type: 'json' };
import type { DatabasesOptions } from './backend/databases.ts';
import { type DatabaseFile, resolveFiles } from './backend/database-files.ts';
import type { Sqlite } from './context.ts';
import { resources } from './resources.ts';

export interface SqliteOptions extends DatabasesOptions {
  /** The database files, at least one. */
  readonly paths: readonly string[];
  /** The directory for exports; without it there is no tool export. */
  readonly exportDirectory?: string | undefined;
  /** The directory of files to import; without it there is no tool import. */
  readonly importDirectory?: string | undefined;
}

/** A server for the named databases. Throws where a path is no file or directory. */
export function sqlite(options: SqliteOptions) {
  const files = resolveFiles(options);
  return defineServer({
    name: manifest.name,
    version: manifest.version,
    title: 'SQLite',
    instructions: instructionsFor(files.databases, options.allowWrite === true),
    // Loaded after the handshake, which needs none of it.
    context: async (): Promise<Sqlite> => {
      const { Databases } = await import('./backend/databases.ts');
      const databases = new Databases(files, options);
      // Starts a process, so that the first query does not wait for it.
      databases.warm();
      return { databases };
    },
    tools: async () => {
      const { readingTools, writingTools, importingTools, exportingTools, legacyTools } =
        await import('./tools.ts');
      return [
        ...readingTools,
        ...(options.allowWrite ? writingTools : []),
        ...(options.allowWrite && files.importDirectory !== undefined ? importingTools : []),
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
