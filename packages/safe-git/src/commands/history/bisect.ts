import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { lines } from '../../parse/printed.ts';

export interface BisectMarks {
  readonly bad: string | undefined;
  readonly good: readonly string[];
  readonly skipped: ReadonlySet<string>;
}

const markFormat = '%(objectname) %(refname)';

export const bisectMarks: Command<BisectMarks> = {
  args: argv`for-each-ref --format=${markFormat} refs/bisect/`,
  parse: (output) => {
    const marks = lines(output).map((each) => each.split(' refs/bisect/'));
    const named = (pattern: RegExp) =>
      marks.flatMap(([hash, name]) => (hash !== undefined && pattern.test(name ?? '') ? [hash] : []));
    return { bad: named(/^bad$/)[0], good: named(/^good-/), skipped: new Set(named(/^skip-/)) };
  },
};

const revListBytes = 64 * 1024 * 1024;

/**
 * The commits that can be the first bad one. The first of them is the best to test: its result excludes most
 * commits.
 */
export function bisectCandidates(
  bad: string,
  good: readonly string[],
  { paths, firstParent }: { readonly paths: readonly string[]; readonly firstParent: boolean },
): Command<string[]> {
  return {
    args: argv`rev-list --bisect-all ${firstParent && '--first-parent'} ${bad} --not ${good} -- ${paths}`,
    maxBytes: revListBytes,
    parse: (output) => lines(output).flatMap((each) => /^[0-9a-f]{40,64}/.exec(each) ?? []),
  };
}

/** Records the verdicts on commits, all or none; `expected` is the commit that is to be tested next. */
export function judge(marks: Partial<BisectMarks>, expected?: string): Command<void> {
  const { bad, good = [], skipped = [] } = marks;
  const updates = [
    ...(bad === undefined ? [] : [`update refs/bisect/bad ${bad}\n`]),
    ...good.map((hash) => `update refs/bisect/good-${hash} ${hash}\n`),
    ...[...skipped].map((hash) => `update refs/bisect/skip-${hash} ${hash}\n`),
    ...(expected === undefined ? [] : [`update BISECT_EXPECTED_REV ${expected}\n`]),
  ];
  return { kind: 'write', args: argv`update-ref --no-deref --stdin`, input: updates.join('') };
}

/** The names of all refs of a bisect. */
export const bisectRefs: Command<string[]> = {
  args: argv`for-each-ref --format=%(refname) refs/bisect/`,
  parse: lines,
};

/** Deletes the refs of a bisect, all or none. */
export function deleteBisectRefs(names: readonly string[]): Command<void> {
  const input = names.map((name) => `delete ${name}\n`).join('');
  return { kind: 'write', args: argv`update-ref --no-deref --stdin`, input };
}
