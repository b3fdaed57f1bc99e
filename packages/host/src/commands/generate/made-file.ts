import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '@mcp/kit';
import { digestOf, digestsIn } from '../../generate/heading.ts';
import { JsonDirectory } from '../../json-directory.ts';
import type { StateDirectories } from '../../state-directories.ts';

/** How the code of a file is made. */
export interface Made {
  readonly what: 'types' | 'client' | 'cli';
  /** The names of the servers whose tools it has; only types may have several. */
  readonly servers: readonly string[];
  readonly zod: boolean;
}

/** A file that `mcp types` or `mcp generate` has written. */
export interface MadeFile extends Made {
  readonly file: string;
}

/** Maximum number of files that are remembered. */
const maxEntries = 1_000;

function filesIn({ state }: StateDirectories): JsonDirectory<Made> {
  return new JsonDirectory(join(state, 'generated'), { isValid: isMade, warn: () => {}, maxEntries });
}

/** Remembers how a file was made, by its absolute path. */
export function rememberMade({ file, ...made }: MadeFile, directories: StateDirectories): void {
  filesIn(directories).set(file, made);
}

/**
 * The files with the tools of a server that were written for other tools than these. A file that is not there
 * any more, or that something else has written since, is forgotten.
 */
export async function outdatedFiles(
  server: string,
  tools: Parameters<typeof digestOf>[0],
  directories: StateDirectories,
): Promise<readonly MadeFile[]> {
  const files = filesIn(directories);
  const outdated: MadeFile[] = [];
  for (const [file, made] of files.entries()) {
    if (!made.servers.includes(server)) continue;
    const digest = digestsIn(await readFile(file, 'utf8').catch(() => '')).get(server);
    if (digest === undefined) files.delete(file);
    else if (digest !== digestOf(tools)) outdated.push({ file, ...made });
  }
  return outdated;
}

function isMade(value: unknown): value is Made {
  if (!isObject(value)) return false;
  const { what, servers, zod } = value;
  const isKnown = what === 'types' || what === 'client' || what === 'cli';
  return isKnown && typeof zod === 'boolean' && Array.isArray(servers) && servers.length > 0;
}
