import type { Command } from '../command.ts';
import { fields } from '../parse/nul-records.ts';
import { notTracked } from './staging.ts';

/** The stages that the index has of each path in conflict: 1 is the merge base, 2 ours, 3 theirs. */
export function unmergedStages(paths: readonly string[]): Command<ReadonlyMap<string, readonly number[]>> {
  return {
    args: ['ls-files', '--unmerged', '-z', '--', ...paths],
    parse: ({ stdout }) => {
      const stages = new Map<string, number[]>();
      for (const entry of fields(stdout)) {
        const [, stage, path] = /^\d+ [0-9a-f]+ ([123])\t([^]*)$/.exec(entry) ?? [];
        if (path !== undefined) stages.set(path, [...(stages.get(path) ?? []), Number(stage)]);
      }
      return stages;
    },
  };
}

/** A version of a file in conflict; the stage 1 is the merge base, 2 ours, 3 theirs. */
export interface Version {
  readonly mode: string;
  readonly hash: string;
  readonly stage: number;
}

/**
 * The versions, by path, of files whose conflicts have been resolved; git keeps them until the next commit.
 */
export function resolvedVersions(paths: readonly string[]): Command<ReadonlyMap<string, readonly Version[]>> {
  return {
    args: ['ls-files', '--resolve-undo', '-z', '--', ...paths],
    parse: ({ stdout }) => {
      const versions = new Map<string, Version[]>();
      for (const entry of fields(stdout)) {
        const [, mode, hash, stage, path] = /^(\d+) ([0-9a-f]+) ([123])\t([^]*)$/.exec(entry) ?? [];
        if (path === undefined) continue;
        const version = { mode: mode!, hash: hash!, stage: Number(stage) };
        versions.set(path, [...(versions.get(path) ?? []), version]);
      }
      return versions;
    },
  };
}

/** Puts conflicts back into the index; the work tree is not changed. */
export function stageVersions(conflicts: ReadonlyMap<string, readonly Version[]>): Command<void> {
  const lines = [...conflicts].flatMap(([path, versions]) => [
    `0 ${versions[0]!.hash.replaceAll(/./g, '0')}\t${path}\0`,
    ...versions.map(({ mode, hash, stage }) => `${mode} ${hash} ${stage}\t${path}\0`),
  ]);
  return {
    kind: 'write',
    args: ['update-index', '-z', '--index-info'],
    input: lines.join(''),
  };
}

/** Writes one side of files in conflict to the work tree or, for `merge`, the files with conflict markers. */
export function checkoutSide(side: 'ours' | 'theirs' | 'merge', paths: readonly string[]): Command<void> {
  return {
    kind: 'write',
    args: ['checkout', '--quiet', '--no-recurse-submodules', `--${side}`, '--', ...paths],
    refusals: [[/pathspec '(.*)' did not match/, notTracked]],
  };
}
