import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Written } from '../backend/write/write-file.ts';
import type { Filesystem } from '../context.ts';

export const writeFile = defineTool({
  name: 'write_file',
  title: 'Write file',
  description:
    'Creates a text file, replaces its content atomically, or appends to it. Its directory must exist.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.strictObject({
    path: z.string(),
    content: z.string(),
    append: z.boolean().default(false).describe('Append the content'),
    expectedHash: z.string().optional().describe('Fail unless the file has this SHA-256'),
  }),
  outputSchema: z.object({ hash: z.string().optional().describe('SHA-256 of the file') }),

  async run({ path, content, append, expectedHash }, { sandbox }: Filesystem) {
    const written = append
      ? await sandbox.append(path, content, expectedHash)
      : await sandbox.write(path, content, { expectedHash });
    const { hash } = written;
    return toolResult({ content: report(written, append), structuredContent: { hash } });
  },
});

function report({ path, created, bytes, detachedHardLinks, inPlace }: Written, append: boolean): string {
  const done = created ? 'Created' : append ? 'Appended to' : 'Replaced';
  const detached =
    detachedHardLinks > 0 ? `\nOther hard links, which keep the old content: ${detachedHardLinks}` : '';
  const overwritten = inPlace ? '\nOverwritten in place, because its directory allows no replacement' : '';
  return `${done} ${displayName(path)} (${bytes} bytes)${detached}${overwritten}`;
}
