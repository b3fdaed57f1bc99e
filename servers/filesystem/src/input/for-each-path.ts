import type { Call } from '@mcp/protocol';
import { counted, displayName } from '@mcp/sandbox';
import { firstLines } from '../text/capped-lines.ts';

export interface EachPathOptions {
  /** The verb of the last line of the answer, in the past tense: `Deleted`. */
  readonly done: string;
  /** List the paths in the answer, because the caller gave a glob and does not know them. */
  readonly isListed: boolean;
  /** Further lines, before the last line of the answer. */
  readonly notes?: readonly string[] | undefined;
}

/**
 * Runs one operation for each path, in order. Returns the notes of the operations and the number of paths. If
 * an operation fails, runs the others, then throws an error with the notes, the number of paths and all
 * failures.
 */
export async function forEachPath(
  paths: readonly string[],
  { signal, progress }: Pick<Call, 'signal' | 'progress'>,
  { done, isListed, notes: given = [] }: EachPathOptions,
  run: (path: string, index: number) => Promise<string | undefined>,
): Promise<string> {
  const failures: string[] = [];
  const notes: string[] = [];
  const listed: string[] = [];
  let succeeded = 0;
  for (const [index, path] of paths.entries()) {
    try {
      signal.throwIfAborted();
      const note = await run(path, index);
      if (note) notes.push(note);
      if (isListed) listed.push(displayName(path));
      succeeded++;
    } catch (error) {
      if (signal.aborted) {
        failures.push(`Cancelled before ${displayName(path)}`);
        break;
      }
      const reason = error instanceof Error ? error.message : String(error);
      failures.push(`Error for ${displayName(path)}: ${reason}`);
    }
    progress(index + 1, paths.length);
  }
  const said = [...firstLines(listed), ...firstLines(notes), ...given, ...firstLines(failures)];
  if (failures.length === 0) return [...said, `${done} ${counted(succeeded, 'path')}`].join('\n');
  throw new Error([...said, `${done} ${succeeded} of ${counted(paths.length, 'path')}`].join('\n'));
}
