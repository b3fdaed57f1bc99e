import { type Call, defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import type { Written } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { createParents } from '../input/destinations.ts';
import { replacementNotes } from '../text/replacement-notes.ts';
import { undo } from '../text/undo.ts';

export const writeFile = defineTool({
  name: 'write_file',
  title: 'Write file',
  description: 'Creates a text file, replaces its content atomically, or appends to it.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.strictObject({
    path: z.string(),
    content: z.string().optional(),
    append: z.boolean().default(false).describe('Append the content'),
    parents: z.boolean().optional().describe('Create missing directories'),
    executable: z.boolean().optional().describe('Set or clear the executable bit, also without content'),
    expectedHash: z.string().optional().describe('Fail unless the file has this SHA-256'),
  }),
  outputSchema: z.object({ hash: z.string().optional().describe('SHA-256 of the file') }),

  async run({ path, content, append, parents, executable, expectedHash }, { context }: Call<Filesystem>) {
    const { sandbox } = context;
    if (content === undefined && executable === undefined)
      throw new Error('Give content, executable, or both');
    if (content === undefined) {
      const mode = await changedMode(path, executable, context);
      return toolResult({ content: mode.join('\n'), structuredContent: {} });
    }
    const directories = await createParents(path, parents, context);
    const written = append
      ? await sandbox.append(path, content, expectedHash)
      : await sandbox.write(path, content, { expectedHash });
    const { hash } = written;
    return toolResult({
      content: [
        ...report(written, sandbox.shownPath(written.path), append),
        ...(await changedMode(path, executable, context)),
        // There is no undo for a file that was created in place: its directory does not allow deletion.
        ...(written.created && !written.inPlace
          ? [undo(deletionOf(path, sandbox.shownPath(written.path)), directories)]
          : []),
      ].join('\n'),
      structuredContent: { hash },
    });
  },
});

/** If requested, changes the executable bit; returns a line with the modes before and after. */
async function changedMode(
  path: string,
  executable: boolean | undefined,
  { sandbox }: Filesystem,
): Promise<string[]> {
  if (executable === undefined) return [];
  const { path: real, before, after, isReversible } = await sandbox.setExecutable(path, executable);
  const back = isReversible ? `; executable ${!executable} restores it` : '';
  return [`Mode of ${sandbox.shownPath(real)}: ${before} → ${after}${back}`];
}

/** Returns the call that deletes a created file; through a symlink, the file has another path. */
function deletionOf(path: string, shown: string): string {
  return shown === path ? 'delete_file' : `delete_file ${shown}`;
}

function report(
  { created, bytes, detachedHardLinks, inPlace }: Written,
  shown: string,
  append: boolean,
): string[] {
  const done = created ? 'Created' : append ? 'Appended to' : 'Replaced';
  // A file that was created in place has replaced nothing, so that these notes do not apply.
  const notes = created ? [] : replacementNotes(detachedHardLinks, inPlace);
  return [`${done} ${shown} (${bytes} bytes)`, ...notes];
}
