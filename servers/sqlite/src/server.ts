import { defineServer } from '@mcp/protocol';
import manifest from '../package.json' with { type: 'json' };
import type { DatabasesOptions } from './backend/databases.ts';
import { type DatabaseFile, findPlaces } from './backend/database-files.ts';
import type { Sqlite } from './context.ts';
import { resources } from './resources.ts';

export interface SqliteOptions extends DatabasesOptions {
  /** Files, at least one. */
  readonly paths: readonly string[];
  /** Where exports may be put; without it there are none. */
  readonly exportDirectory?: string | undefined;
}

/** Everything a host can see of the databases that were named. */
export function sqlite(options: SqliteOptions) {
  const places = findPlaces(options);
  return defineServer({
    name: manifest.name,
    version: manifest.version,
    title: 'SQLite',
    instructions: instructionsFor(places.files, options.allowWrite === true),
    // All that is imported here is loaded after the handshake: it takes longer than everything before.
    context: async (): Promise<Sqlite> => {
      const { Databases } = await import('./backend/databases.ts');
      const databases = new Databases(places, options);
      // By the time of the first query there is a process for it.
      databases.warm();
      return { databases };
    },
    tools: async () => {
      const { readingTools, writingTools, exportingTools, olderNames } = await import('./tools.ts');
      return [
        ...readingTools,
        ...(options.allowWrite ? writingTools : []),
        ...(places.exports === undefined ? [] : exportingTools),
        ...olderNames,
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
      ? `The database is ${names[0]}; the argument database may be left out.`
      : `The databases are ${names.join(', ')}; say which with the argument database.`;
  const how = writes
    ? 'query reads, write changes; a dry run says what a write would do.'
    : 'Everything here only reads.';
  return `${which} ${how} Integers beyond 2^53 are {"$int":"…"}, bytes {"$blob":base64}, in results and parameters alike.`;
}
