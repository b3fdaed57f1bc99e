import { resolve } from 'node:path';
import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { counted } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { interpretNames } from '../input/argument-names.ts';
import { undo } from '../text/undo.ts';

export const createDirectory = defineTool({
  name: 'create_directory',
  title: 'Create directory',
  description: 'Creates a directory and its missing parents. Succeeds if it exists.',
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
  interpret: interpretNames(),

  inputSchema: z.object({ path: z.string() }),

  async run({ path }, { context: { sandbox } }: Call<Filesystem>) {
    const { path: real, created } = await sandbox.createDirectory(path);
    const shown = sandbox.shownPath(real);
    if (created === 0) return `Already exists: ${shown}`;
    const parents = created > 1 ? ` and ${counted(created - 1, 'parent')}` : '';
    const first = sandbox.shownPath(resolve(real, ...Array.from({ length: created - 1 }, () => '..')));
    const recursive = created > 1 ? ', recursive' : '';
    return [`Created ${shown}${parents}`, undo(`delete_file ${first}${recursive}`)].join('\n');
  },
});
