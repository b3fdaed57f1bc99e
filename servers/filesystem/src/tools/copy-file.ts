import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Filesystem } from '../context.ts';
import { createParents, destinationArguments, transfersOf } from '../input/destinations.ts';
import { forEachPath } from '../input/for-each-path.ts';
import { leafKinds, selectPaths } from '../input/select-paths.ts';

const input = z.strictObject({
  ...destinationArguments,
  join: z.boolean().optional().describe('Join the files in this order into one new file'),
});

export const copyFile = defineTool({
  name: 'copy_file',
  title: 'Copy file',
  description:
    'Copies files, or directories with their content, symlinks as symlinks. Fails if the destination exists.',
  annotations: { destructiveHint: false, openWorldHint: false },
  inputSchema: input,

  async run(args, context: Filesystem, call): Promise<string> {
    const { sandbox } = context;
    const { signal, progress } = call;
    if (args.join) return join(args, context, call);
    const { transfers, isOne, isGlob } = await transfersOf(args, context, call);
    const copyTo = async (index: number) => {
      const { source, destination } = transfers[index]!;
      await createParents(destination, args.parents, context);
      return sandbox.copy(source, destination, { signal, progress: isOne ? progress : undefined });
    };
    const skippedNote = (paths: readonly string[]) => paths.map((path) => `Skipped: ${path}`);
    if (isOne) {
      const { from, to, files, directories, links, skipped } = await copyTo(0);
      const parts = directories > 0 ? ` (${files} files, ${directories} directories, ${links} links)` : '';
      return [`Copied ${displayName(from)} to ${displayName(to)}${parts}`, ...skippedNote(skipped)].join(
        '\n',
      );
    }
    const sources = transfers.map(({ source }) => source);
    return forEachPath(sources, call, { done: 'Copied', isListed: isGlob }, async (_, index) => {
      const { skipped } = await copyTo(index);
      return skippedNote(skipped).join('\n') || undefined;
    });
  },
});

async function join(args: z.infer<typeof input>, context: Filesystem, call: Call): Promise<string> {
  const { source, sources, glob, destination, parents } = args;
  if (destination === undefined || args.destinations) throw new Error('join needs one destination');
  const selection = { path: source, paths: sources, glob };
  const { paths } = await selectPaths(selection, context, call, {
    name: 'source',
    kinds: leafKinds,
    gitignored: true,
  });
  await createParents(destination, parents, context);
  const { to, bytes } = await context.sandbox.join(paths, destination, call);
  return `Joined ${paths.length} files to ${displayName(to)} (${bytes} bytes)`;
}
