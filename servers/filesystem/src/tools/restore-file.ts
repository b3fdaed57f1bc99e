import { type Call, defineTool, renameArguments } from '@mcp/protocol';
import * as z from 'zod';
import { counted, displayName, type KeptChange, type KeptItem, type KeptRecord } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { keepArgument, restoring } from '../input/keeping.ts';
import { firstLines, maxListed } from '../text/capped-lines.ts';

const restoreName = 'restore_file';

/** The tool that brings back what a change replaced or deleted; published only with `--keep`. */
export const restoreFile = defineTool({
  name: restoreName,
  title: 'Restore file',
  description:
    'Brings back what a change replaced or deleted, by the id after "Undo:"; what is there now is kept in turn. ' +
    'Without id, lists the kept changes.',
  annotations: { destructiveHint: true, openWorldHint: false },
  inputSchema: z.strictObject({ id: z.string().optional(), ...keepArgument }),
  interpret: (args) => renameArguments(args, { restore_file: 'id', undo: 'id' }),

  async run({ id, keep }, { context: { sandbox } }: Call<Filesystem>): Promise<string> {
    if (id === undefined) return list(sandbox.keptChanges(), sandbox);
    return await restoring(sandbox, restoreName, keep, async (kept) => {
      const { items, newer } = await sandbox.restore(id, kept);
      return [
        ...firstLines(items.map((item) => doneLine(item, sandbox))),
        ...firstLines(newerLines(newer, kept)),
      ];
    });
  },
});

/** Returns lines about newer changes of the restored paths, which are undone, too. */
function newerLines(newer: readonly KeptRecord[], kept: KeptChange | undefined): string[] {
  const after = kept?.id === undefined ? '' : '; the present content is kept under the id below';
  return newer
    .filter(({ what }) => what !== restoreName)
    .map(({ id, what }) => `This undoes the newer change ${id} (${what}), too${after}`);
}

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
