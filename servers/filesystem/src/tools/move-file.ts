import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Filesystem } from '../context.ts';
import { createParents, destinationArguments, transfersOf } from '../input/destinations.ts';
import { forEachPath } from '../input/for-each-path.ts';

export const moveFile = defineTool({
  name: 'move_file',
  title: 'Move file',
  description:
    'Moves or renames files or directories; a symlink itself, not its target. Fails if the destination exists.',
  annotations: { destructiveHint: true, openWorldHint: false },
  inputSchema: z.strictObject(destinationArguments),

  async run(args, context: Filesystem, call) {
    const { transfers, isOne, isGlob } = await transfersOf(args, context, call);
    const moveTo = async (index: number) => {
      const { source, destination } = transfers[index]!;
      await createParents(destination, args.parents, context);
      return context.sandbox.move(source, destination);
    };
    if (isOne) {
      const { from, to } = await moveTo(0);
      return `Moved ${displayName(from)} to ${displayName(to)}`;
    }
    const sources = transfers.map(({ source }) => source);
    return forEachPath(sources, call, { done: 'Moved', isListed: isGlob }, async (_, index) => {
      await moveTo(index);
      return undefined;
    });
  },
});
