import * as z from 'zod';
import type { KeptChange } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { undo } from '../text/undo.ts';

/**
 * An argument of the tools that replace or delete files; they have it if the server was started with
 * `--keep`.
 */
export const keepArgument = {
  keep: z.boolean().optional().describe('false: keep no copy for restore_file'),
};

/**
 * Makes a change. Unless `keep` is false, what it replaces is kept (with `--keep`), and the call of
 * restore_file that undoes it is added to the answer. If the change fails after a part of it, the call is
 * added to the error.
 */
export async function restoring(
  sandbox: Filesystem['sandbox'],
  tool: string,
  keep: boolean | undefined,
  change: (kept: KeptChange | undefined) => Promise<readonly string[]>,
): Promise<string> {
  const kept = keep === false ? undefined : sandbox.keeping(tool);
  let lines: readonly string[];
  try {
    lines = await change(kept);
  } catch (error) {
    if (kept?.id === undefined || !(error instanceof Error)) throw error;
    throw new Error(`${error.message}\n${undo(`restore_file ${kept.id}`)}`, { cause: error });
  }
  return [...lines, ...(kept?.id === undefined ? [] : [undo(`restore_file ${kept.id}`)])].join('\n');
}
