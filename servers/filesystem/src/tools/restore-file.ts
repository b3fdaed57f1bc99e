import { type Call, defineTool, renameArguments } from '@mcp/protocol';
import * as z from 'zod';
import { counted, displayName, type KeptItem, type KeptRecord } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { keepArgument, restoring } from '../input/keeping.ts';
import { firstLines, maxListed } from '../text/capped-lines.ts';

/** The tool that brings back what a change replaced or deleted; published only with `--keep`. */
export const restoreFile = defineTool({
  name: 'restore_file',
  title: 'Restore file',
  description:
    'Brings back what a change replaced or deleted, by the id after "Undo:"; what is there now is kept in turn. ' +
    'Without id, lists the kept changes.',
  annotations: { destructiveHint: true, openWorldHint: false },
  inputSchema: z.strictObject({ id: z.string().optional(), ...keepArgument }),
  interpret: (args) => renameArguments(args, { restore_file: 'id', undo: 'id' }),

  async run({ id, keep }, { context: { sandbox } }: Call<Filesystem>): Promise<string> {
    if (id === undefined) return list(sandbox.keptChanges(), sandbox);
    return await restoring(sandbox, 'restore_file', keep, async (kept) => {
      const { items } = await sandbox.restore(id, kept);
      return firstLines(items.map((item) => doneLine(item, sandbox)));
    });
  },
});

function doneLine({ path, was, mode }: KeptItem, sandbox: Filesystem['sandbox']): string {
  const shown = sandbox.shownPath(path);
  if (was === 'absent') return `Removed ${shown}, which was not there before`;
  if (was === 'mode') return `Mode of ${shown}: ${(mode ?? 0).toString(8).padStart(3, '0')}`;
  return `Restored ${was === 'directory' ? `${shown}/` : shown}`;
}

function list(records: readonly KeptRecord[], sandbox: Filesystem['sandbox']): string {
  const lines = records.map(({ id, what, time, items }) => {
    const [first] = items;
    const more = items.length > 1 ? ` and ${items.length - 1} more` : '';
    const at = time.toISOString().replace(/\.\d+/, '');
    return `${id}  ${at}  ${what}  ${displayName(sandbox.shownPath(first!.path))}${more}`;
  });
  return [...firstLines(lines, maxListed), counted(records.length, 'kept change')].join('\n');
}
