import { argv } from '../../argv.ts';
import { applyToIndex, staleDiff } from '../../commands/work-tree/apply-to-index.ts';
import { readObject } from '../../commands/objects/cat-file.ts';
import {
  type FileDiff,
  type LineRange,
  parseRanges,
  parseUnifiedZero,
  reversed,
  reversedRange,
  selectChanges,
} from '../../parse/line-selection.ts';
import { diffOptions } from '../../commands/history/diff.ts';
import { status } from '../../commands/work-tree/status.ts';
import { quoted } from '../../safe-text.ts';
import type { Repository } from '../../repository.ts';
import { isUnstaged, refuseUnfiltered } from './refuse-unfiltered.ts';

const maxBytes = 10 * 1024 * 1024;
const maxShownRanges = 20;

export interface LineSelection {
  /** Headers of hunks, or ranges of lines such as `+10-12` and `-7`. */
  readonly lines: readonly string[];
  /** The two hashes from the index line of the diff that the client was shown, such as `a1b2..c3d4`. */
  readonly index?: string | undefined;
}

/** The number of lines. `before` is the formerly staged blob, if it differed from HEAD's. */
export interface StagedLines {
  readonly count: number;
  readonly before?: string;
}

/**
 * Stages the selected lines of a file. Throws, and stages nothing, if the file differs from the diff that the
 * client was shown. The caller must hold the lock.
 */
export async function stageLines(
  repository: Repository,
  path: string,
  selection: LineSelection,
): Promise<StagedLines> {
  const ranges = checkedRanges(selection);
  await refuseUnfiltered(repository, [path], isUnstaged);
  const diff = await repository.runLocked(lineDiff(path, 'unstaged'));
  if (diff === undefined)
    throw new Error(`Not a text file with unstaged changes: ${quoted(path)}; stage the whole file instead`);
  assertCurrent(path, diff, selection.index);
  const { entries } = await repository.runLocked(status({ paths: [path] }));
  const wasStaged = entries.some(({ staged }) => staged !== undefined);
  const count = await replaceInIndex(repository, path, diff, ranges);
  return { count, ...(wasStaged && { before: diff.from }) };
}

/**
 * Unstages the selected lines of the staged diff of a file. Throws, and unstages nothing, if that diff is not
 * the one that the client was shown. The caller must hold the lock.
 */
export async function unstageLines(
  repository: Repository,
  path: string,
  selection: LineSelection,
): Promise<Required<StagedLines>> {
  const ranges = checkedRanges(selection);
  const diff = await repository.runLocked(lineDiff(path, 'staged'));
  if (diff === undefined)
    throw new Error(`Not a text file with staged changes: ${quoted(path)}; unstage the whole file instead`);
  assertCurrent(path, diff, selection.index);
  const count = await replaceInIndex(repository, path, reversed(diff), ranges.map(reversedRange));
  return { count, before: diff.to };
}

function checkedRanges({ lines, index }: LineSelection): LineRange[] {
  if (index !== undefined && !/^[0-9a-f]{4,64}\.\.[0-9a-f]{4,64}$/.test(index))
    throw new Error(
      'Invalid index: expected "a1b2..c3d4", from the index line of the unstaged diff of the file',
    );
  return lines.flatMap(parseRanges);
}

/** Throws unless `index` is that of the present diff. */
function assertCurrent(path: string, diff: FileDiff, index: string | undefined): void {
  if (index === undefined) throw new Error(missingIndex(path, diff));
  const [from = '', to = ''] = index.split('..');
  if (!diff.from.startsWith(from) || !diff.to.startsWith(to)) throw new Error(staleDiff);
}

/** Applies the selected lines of a diff of the index to the index. Returns how many were selected. */
async function replaceInIndex(
  repository: Repository,
  path: string,
  diff: FileDiff,
  ranges: readonly LineRange[],
): Promise<number> {
  const old = await repository.runLocked(readObject(diff.from, maxBytes));
  if (!old) throw new Error(`The index has no content of ${quoted(path)} yet; stage the whole file instead`);
  if (old.size > maxBytes) {
    const limit = `${old.size} bytes, more than ${maxBytes}`;
    throw new Error(`Too large to stage lines: ${quoted(path)} has ${limit}; stage the whole file instead`);
  }
  const oldText = old.bytes.toString('latin1');
  const { text, count } = selectChanges(diff, ranges, oldText);
  if (count === 0) throw new Error('Invalid lines: they contain no change of this diff');
  const change = { path, from: oldText, to: text };
  await repository.undoIfStopped(
    () => repository.runLocked(applyToIndex(change)),
    // The reverse change fails if git was stopped before it staged anything. Then there is nothing to undo,
    // and the error is ignored.
    (uncancelled) => uncancelled.runLocked(applyToIndex(change, { reverse: true })).catch(() => {}),
  );
  return count;
}

/** Says what `index` the present diff of the file has, and which lines it changes. */
function missingIndex(path: string, { from, to, changes }: FileDiff): string {
  const ranges = changes.flatMap(({ oldStart, removed, newStart, added }) => [
    ...(removed.length > 0 ? [rangeText('-', oldStart, removed.length)] : []),
    ...(added.length > 0 ? [rangeText('+', newStart, added.length)] : []),
  ]);
  const more = ranges.length > maxShownRanges ? `, and ${ranges.length - maxShownRanges} more` : '';
  const shown = ranges.slice(0, maxShownRanges).join(', ') + more;
  return `Missing index: if the lines are those of the present diff of ${quoted(path)} (${shown}), its index is ${from.slice(0, 10)}..${to.slice(0, 10)}`;
}

function rangeText(sign: string, start: number, count: number): string {
  return `${sign}${start}${count > 1 ? `-${start + count - 1}` : ''}`;
}

/** Reads the changed lines of one tracked text file; undefined if it has no changes. */
function lineDiff(path: string, of: 'unstaged' | 'staged') {
  return {
    args: argv`diff ${diffOptions} ${of === 'staged' && '--cached'} --no-renames --unified=0 --full-index --patch
      -- ${path}`,
    parse: ({ stdout }: { stdout: Buffer }): FileDiff | undefined =>
      parseUnifiedZero(stdout.toString('latin1')),
  };
}
