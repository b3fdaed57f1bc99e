import { type Call, defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import type { KeptChange, Written } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { interpretNames } from '../input/argument-names.ts';
import { createParents } from '../input/destinations.ts';
import { keepArgument, restoring } from '../input/keeping.ts';
import { replacementNotes } from '../text/replacement-notes.ts';
import { undo } from '../text/undo.ts';

const input = z.strictObject({
  path: z.string(),
  content: z.string().optional(),
  append: z.boolean().default(false).describe('Append the content'),
  parents: z.boolean().optional().describe('Create missing directories'),
  executable: z.boolean().optional().describe('Set or clear the executable bit, also without content'),
  expectedHash: z.string().optional().describe('Fail unless the file has this SHA-256'),
});

type Input = z.infer<typeof input> & { readonly keep?: boolean | undefined };

export const writeFile = (keeps: boolean) =>
  defineTool({
    name: 'write_file',
    title: 'Write file',
    description:
      'Creates a text file, replaces its content atomically, or appends to it.' +
      (keeps ? '' : ' Replaced content is lost.'),
    annotations: { destructiveHint: true, openWorldHint: false },
    inputSchema: keeps ? input.extend(keepArgument) : input,
    interpret: interpretNames({ contents: 'content' }),
    outputSchema: z.object({ hash: z.string().optional().describe('SHA-256 of the written file') }),

    async run(args: Input, { context }: Call<Filesystem>) {
      if (args.content === undefined && args.executable === undefined)
        throw new Error('Give content, executable, or both');
      let hash: string | undefined;
      const content = await restoring(context.sandbox, 'write_file', args.keep, async (kept) => {
        if (args.content === undefined) return await changedMode(args, context, kept);
        const directories = await createParents(args.path, args.parents, context);
        const written = await writeContent(args, args.content, context, kept);
        hash = written.hash;
        const shown = context.sandbox.shownPath(written.path);
        return [
          ...report(written, shown, args.append),
          ...(kept?.id !== undefined && written.sharedHardLinks > 0
            ? [
                `Other hard links, which have the new content too, and after restore_file keep it and are separate: ${written.sharedHardLinks}`,
              ]
            : []),
          // If the write has kept a copy of the old file, the copy has the old mode, so the mode is not kept
          // again.
          ...(await changedMode(args, context, kept?.id === undefined ? kept : undefined)),
          // A file is created in place where its directory allows no renaming. Nor could it be deleted there,
          // so there is no undo.
          ...(written.created && !written.inPlace ? [undo(deletionOf(args.path, shown), directories)] : []),
        ];
      });
      return toolResult({ content, structuredContent: hash === undefined ? {} : { hash } });
    },
  });

function writeContent(
  { path, append, expectedHash }: Input,
  content: string,
  { sandbox }: Filesystem,
  kept: KeptChange | undefined,
): Promise<Written> {
  const options = { expectedHash, kept };
  return append ? sandbox.append(path, content, options) : sandbox.write(path, content, options);
}

/** If requested, changes the executable bit; returns a line with the modes before and after. */
async function changedMode(
  { path, executable }: Input,
  { sandbox }: Filesystem,
  kept: KeptChange | undefined,
): Promise<string[]> {
  if (executable === undefined) return [];
  const { path: real, before, after, isReversible } = await sandbox.setExecutable(path, executable, kept);
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
