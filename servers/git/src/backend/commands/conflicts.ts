import { noResult, type Command } from '../command.ts';
import { fields } from './nul-records.ts';
import { notTracked } from './staging.ts';

/** The stages that each path in conflict has: 1 the merge base, 2 ours, 3 theirs. */
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

/** Writes one side of conflicts to the work tree or, with `merge`, the conflicts again. */
export function checkoutSide(side: 'ours' | 'theirs' | 'merge', paths: readonly string[]): Command<void> {
  return {
    kind: 'write',
    args: ['checkout', '--quiet', '--no-recurse-submodules', `--${side}`, '--', ...paths],
    refusals: [[/pathspec '(.*)' did not match/, notTracked]],
    parse: noResult,
  };
}
