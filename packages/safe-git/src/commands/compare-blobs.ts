import type { Command } from '../command.ts';

/**
 * The hashes that files of the work tree would have as blobs, in order. Every path must exist, and must not
 * contain a line break.
 */
export function hashFiles(paths: readonly string[]): Command<string[]> {
  return {
    args: ['hash-object', '--stdin-paths'],
    input: lines(paths),
    parse: ({ stdout }) => stdout.toString('latin1').split('\n').filter(Boolean),
  };
}

/**
 * The hashes of the blobs at these paths in a revision, in order; undefined for a path that the revision does
 * not have.
 */
export function blobHashes(revision: string, paths: readonly string[]): Command<(string | undefined)[]> {
  return existingObjects(paths.map((path) => `${revision}:${path}`));
}

/**
 * The hashes of the objects with these names, in order; undefined for a name that the repository does not
 * have.
 */
export function existingObjects(names: readonly string[]): Command<(string | undefined)[]> {
  return {
    args: ['cat-file', '--batch-check=%(objectname)'],
    input: lines(names),
    parse: ({ stdout }) => {
      const printed = stdout.toString('utf8').split('\n').slice(0, -1);
      return printed.map((line) => (/^[0-9a-f]{40,64}$/.test(line) ? line : undefined));
    },
  };
}

function lines(values: readonly string[]): string {
  return values.map((value) => `${value}\n`).join('');
}
