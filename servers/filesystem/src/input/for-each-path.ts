import type { Call } from '@mcp/protocol';
import { displayName } from '../backend/display-name.ts';
import { counted } from '../text/counted.ts';

/** The number of paths that an answer lists. */
export const maxListed = 100;

export interface EachPathOptions {
  /** The verb of the answer, in the past: `Deleted`. */
  readonly done: string;
  /** List the paths, because the caller has not named them. */
  readonly isListed: boolean;
  /** Further notes, before the last line of the answer. */
  readonly notes?: readonly string[] | undefined;
}

/**
 * Runs one operation for each path, in order; returns their number, and the notes of the operations.
 * A failure does not stop the others; where there is one, throws all failures, so that the call is an error.
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
      if (isListed && listed.length < maxListed) listed.push(displayName(path));
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
  if (isListed && succeeded > listed.length) listed.push(`… ${succeeded - listed.length} more`);
  const shown = shortened(failures);
  if (failures.length === 0)
    return [...listed, ...shortened(notes), ...given, `${done} ${counted(succeeded, 'path')}`].join('\n');
  throw new Error(
    [
      ...listed,
      ...shortened(notes),
      ...given,
      ...shown,
      `${done} ${succeeded} of ${counted(paths.length, 'path')}`,
    ].join('\n'),
  );
}

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= maxListed) return lines;
  return [...lines.slice(0, maxListed), `… ${lines.length - maxListed} more`];
}
