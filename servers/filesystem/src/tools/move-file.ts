import { type Call, defineTool } from '@mcp/protocol';
import { dirname, resolve, sep } from 'node:path';
import * as z from 'zod';
import { leftOutLines, type Transfer, type TransferArguments, type Transfers } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { createParents, destinationArguments, pathIsSource } from '../input/destinations.ts';
import { forEachPath } from '../input/for-each-path.ts';
import { maxListed } from '../text/capped-lines.ts';
import { undo } from '../text/undo.ts';

export const moveFile = defineTool({
  name: 'move_file',
  title: 'Move file',
  description:
    'Moves or renames files or directories; a symlink itself, not its target. Fails if the destination exists.',
  annotations: { destructiveHint: true, openWorldHint: false },
  inputSchema: z.strictObject(destinationArguments, pathIsSource),

  async run(args, call: Call<Filesystem>) {
    const { sandbox } = call.context;
    const found = await sandbox.transfers({ ...args, signal: call.signal });
    const { transfers, isOne, isGlob } = found;
    let created = found.createdDirectories;
    const moveTo = async (index: number) => {
      const { source, destination } = transfers[index]!;
      created += await createParents(destination, args.parents, call.context);
      return sandbox.move(source, destination);
    };
    if (isOne) {
      const { from, to } = await moveTo(0);
      const moved = `Moved ${sandbox.shownPath(from)} to ${sandbox.shownPath(to)}`;
      return [moved, undo('move_file with source and destination exchanged', created)].join('\n');
    }
    const sources = transfers.map(({ source }) => source);
    const options = { done: 'Moved', isListed: isGlob, notes: leftOutLines(found.leftOut) };
    const moved = await forEachPath(sources, call, options, async (_, index) => {
      await moveTo(index);
      return undefined;
    });
    const reverse = reverseOf(args, found);
    if (reverse === undefined) return moved;
    const order = isOrdered(found.transfers, sandbox.directories[0] ?? sep) ? ', both in reverse order' : '';
    return [moved, undo(reverse + order, created)].join('\n');
  },
});

/** Returns how to move several paths back; undefined if the answer does not list all of them. */
function reverseOf(
  { destinations }: TransferArguments,
  { transfers, isGlob, newLevels }: Transfers,
): string | undefined {
  if (destinations) return 'move_file with sources and destinations exchanged';
  if (isGlob && newLevels > 0) return 'move_file with source and destination exchanged';
  if (isGlob && transfers.length > maxListed) return undefined;
  return 'move_file with the new paths as sources, the old ones as destinations';
}

/**
 * Whether moves can only be undone from the last to the first, because one of their paths is, or contains, a
 * path of another.
 */
function isOrdered(transfers: readonly Transfer[], base: string): boolean {
  const paths = transfers.flatMap(({ source, destination }) => [source, destination]);
  const all = new Set(paths.map((path) => resolve(base, path)));
  return all.size < paths.length || [...all].some((path) => hasParentIn(all, path));
}

function hasParentIn(paths: ReadonlySet<string>, path: string): boolean {
  const parent = dirname(path);
  return parent !== path && (paths.has(parent) || hasParentIn(paths, parent));
}
