import { readObject } from '../commands/cat-file.ts';
import { parseUnifiedZero, selectChanges, type FileDiff } from '../commands/partial-diff.ts';
import { diffOptions } from '../commands/diff.ts';
import { storeBlob, setIndexEntry } from '../commands/index-entry.ts';
import { quoted } from '../display-name.ts';
import type { CallOptions, Repository } from '../repository.ts';

const maxBytes = 10 * 1024 * 1024;

export interface LineSelection {
  /** Headers of hunks, or ranges of lines such as `+10-12` and `-7`. */
  readonly lines: readonly string[];
  /** From the index line of the diff that was shown. */
  readonly index?: string | undefined;
}

/**
 * Stages some changed lines of a file. Throws, and stages nothing, if its diff is no longer the one that was
 * shown. Returns how many lines were staged.
 */
export function stageLines(
  repository: Repository,
  path: string,
  { lines, index }: LineSelection,
  call: CallOptions,
): Promise<number> {
  if (index === undefined || !/^[0-9a-f]{4,64}\.\.[0-9a-f]{4,64}$/.test(index))
    throw new Error(
      'Missing index: expected "a1b2..c3d4", from the index line of the unstaged diff of the file',
    );
  return repository.withLock(async () => {
    const diff = await repository.runLocked(unstagedDiff(path), call);
    if (diff === undefined)
      throw new Error(`No unstaged change of a text: ${quoted(path)}; git_add stages whole files`);
    const [from = '', to = ''] = index.split('..');
    if (!diff.from.startsWith(from) || !diff.to.startsWith(to))
      throw new Error('The file has changed since that diff: call git_diff_unstaged again');
    const old = await repository.runLocked(readObject(diff.from, maxBytes), call);
    if (!old || old.size > maxBytes) throw new Error(`Too large to stage lines: ${quoted(path)}`);
    const { text, count } = selectChanges(diff, lines, old.bytes.toString('latin1'));
    if (count === 0) throw new Error('Invalid lines: they contain no change of this diff');
    const blob = await repository.runLocked(storeBlob(Buffer.from(text, 'latin1')), call);
    await repository.runLocked(setIndexEntry({ mode: diff.mode, blob, path }), call);
    return count;
  });
}

/** The changed lines of one tracked text file; undefined if there are none. */
function unstagedDiff(path: string) {
  return {
    args: ['diff', ...diffOptions, '--no-renames', '--unified=0', '--full-index', '--patch', '--', path],
    parse: ({ stdout }: { stdout: Buffer }): FileDiff | undefined =>
      parseUnifiedZero(stdout.toString('latin1')),
  };
}
