import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { fields } from '../../parse/nul-records.ts';

/** In a conflict, `stage` is 1 for the merge base, 2 for ours, 3 for theirs; otherwise 0. */
export interface IndexEntry {
  readonly mode: string;
  readonly hash: string;
  readonly stage: number;
}

/**
 * The index entries by path: `stage` all, `unmerged` those in conflict, `resolve-undo` the former entries of
 * resolved conflicts, which git keeps until the next commit.
 */
export function indexEntries(
  which: 'stage' | 'unmerged' | 'resolve-undo',
  paths: readonly string[],
): Command<ReadonlyMap<string, readonly IndexEntry[]>> {
  return {
    args: argv`ls-files --${which} -z -- ${paths}`,
    parse: ({ stdout }) => {
      const entries = new Map<string, IndexEntry[]>();
      for (const field of fields(stdout)) {
        const [, mode, hash, stage, path] = /^(\d+) ([0-9a-f]+) ([0-3])\t([^]*)$/.exec(field) ?? [];
        if (path === undefined) continue;
        const entry = { mode: mode!, hash: hash!, stage: Number(stage) };
        entries.set(path, [...(entries.get(path) ?? []), entry]);
      }
      return entries;
    },
  };
}

/** A file with the flag assume-unchanged or, if `skipped`, with the flag skip-worktree. */
export interface FlaggedEntry extends Omit<IndexEntry, 'stage'> {
  readonly path: string;
  readonly skipped: boolean;
}

/** The files for whose changes git does not look. */
export function flaggedEntries(paths: readonly string[]): Command<FlaggedEntry[]> {
  return {
    args: argv`ls-files --stage -v -z -- ${paths}`,
    maxBytes: 256 * 1024 * 1024,
    parse: ({ stdout }) =>
      fields(stdout).flatMap((field) => {
        const [, tag, mode, hash, path] = /^([a-zS]) (\d+) ([0-9a-f]+) [0-3]\t([^]*)$/.exec(field) ?? [];
        if (path === undefined) return [];
        return [{ path, mode: mode!, hash: hash!, skipped: tag === 'S' }];
      }),
  };
}

/** The paths in conflict among `paths`, or all paths in conflict if `paths` is empty. */
export function conflictedPaths(paths: readonly string[] = []): Command<string[]> {
  const { args, parse } = indexEntries('unmerged', paths);
  return { args, parse: (output) => [...parse!(output).keys()] };
}

/** Puts former entries of conflicts back into the index. The work tree is not changed. */
export function restoreEntries(entries: ReadonlyMap<string, readonly IndexEntry[]>): Command<void> {
  const lines = [...entries].flatMap(([path, versions]) => [
    `0 ${versions[0]!.hash.replaceAll(/./g, '0')}\t${path}\0`,
    ...versions.map(({ mode, hash, stage }) => `${mode} ${hash} ${stage}\t${path}\0`),
  ]);
  return { kind: 'write', args: argv`update-index -z --index-info`, input: lines.join('') };
}
