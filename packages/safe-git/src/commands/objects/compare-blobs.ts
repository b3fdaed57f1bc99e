import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { lines } from '../../parse/printed.ts';

/** Computes the hashes of files as blobs. The files must exist, and no path may contain a line break. */
export function hashFiles(paths: readonly string[]): Command<string[]> {
  return {
    args: argv`hash-object --stdin-paths`,
    input: linesOf(paths),
    parse: lines,
  };
}

/** The hashes of the blobs at these paths in a revision, in order; undefined for a missing path. */
export function blobHashes(revision: string, paths: readonly string[]): Command<(string | undefined)[]> {
  return existingObjects(paths.map((path) => `${revision}:${path}`));
}

/** The hashes of the objects with these names, in order; undefined for an unknown name. */
export function existingObjects(names: readonly string[]): Command<(string | undefined)[]> {
  return {
    args: argv`cat-file --batch-check=%(objectname)`,
    input: linesOf(names),
    parse: (output) => lines(output).map((line) => (/^[0-9a-f]{40,64}$/.test(line) ? line : undefined)),
  };
}

function linesOf(values: readonly string[]): string {
  return values.map((value) => `${value}\n`).join('');
}
