import { defineServer } from '@mcp/protocol';
import manifest from '../package.json' with { type: 'json' };
import { Databases, type DatabasesOptions } from './backend/databases.ts';
import type { Sqlite } from './context.ts';
import { resources } from './resources.ts';

/** Everything a host can see of the databases that were named. */
export function sqlite(options: DatabasesOptions) {
  const context: Sqlite = { databases: new Databases(options) };
  const { databases } = context;
  return defineServer({
    name: manifest.name,
    version: manifest.version,
    title: 'SQLite',
    instructions: instructionsFor(databases, options.allowWrite === true),
    context,
    // Loaded after the handshake: building schemas takes longer than everything before it.
    tools: async () => {
      // By the time of the first query there is a process for it.
      databases.warm();
      const { readingTools, writingTools, exportingTools, olderNames } = await import('./tools.ts');
      return [
        ...readingTools,
        ...(options.allowWrite ? writingTools : []),
        ...(databases.exports ? exportingTools : []),
        ...olderNames,
      ];
    },
    prompts: async () => (await import('./prompts.ts')).prompts,
    resources,
  });
}

function instructionsFor({ names }: Databases, writes: boolean): string {
  const which =
    names.length === 1
      ? `The database is ${JSON.stringify(names[0])}; the argument database may be left out.`
      : `The databases are ${names.map((name) => JSON.stringify(name)).join(', ')}; say which with the argument database.`;
  const how = writes
    ? 'query reads, write changes; a dry run says what a write would do.'
    : 'Everything here only reads.';
  return `${which} ${how} Integers beyond 2^53 are {"$int":"…"}, bytes {"$blob":base64}, in results and parameters alike.`;
}
