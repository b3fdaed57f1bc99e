import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import {
  byNaturalOrder,
  type Copied,
  counted,
  displayName,
  leafKinds,
  leftOutLines,
  type Transfers,
} from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { createParents, destinationArguments, pathIsSource } from '../input/destinations.ts';
import { forEachPath } from '../input/for-each-path.ts';
import { cappedLines, maxListed } from '../text/capped-lines.ts';
import { undo } from '../text/undo.ts';

const input = z.strictObject(
  {
    ...destinationArguments,
    join: z.boolean().optional().describe('Join the files in this order into one new file'),
  },
  pathIsSource,
);

type Input = z.infer<typeof input>;

export const copyFile = defineTool({
  name: 'copy_file',
  title: 'Copy file',
  description:
    'Copies files or whole directories; follows a symlink only if named. Fails if the destination exists.',
  annotations: { destructiveHint: false, openWorldHint: false },
  inputSchema: input,

  async run(args, call: Call<Filesystem>): Promise<string> {
    if (args.join) return join(args, call);
    const found = await call.context.sandbox.transfers({ ...args, signal: call.signal });
    return found.isOne ? copyOne(args, found, call) : copySeveral(args, found, call);
  },
});

async function copyOne(
  { parents }: Input,
  { transfers }: Transfers,
  { context, signal, progress }: Call<Filesystem>,
): Promise<string> {
  const { sandbox } = context;
  const { source, destination } = transfers[0]!;
  const created = await createParents(destination, parents, context);
  const copied = await sandbox.copy(source, destination, { signal, progress });
  const to = sandbox.shownPath(copied.to);
  return [
    `Copied ${sandbox.shownPath(copied.from)} to ${to}${contentOf(copied)}`,
    ...skippedLines(copied),
    undo(`delete_file ${to}${copied.directories > 0 ? ', recursive' : ''}`, created),
  ].join('\n');
}

async function copySeveral(
  { parents, destination: target }: Input,
  { transfers, isGlob, leftOut, newLevels, createdDirectories }: Transfers,
  call: Call<Filesystem>,
): Promise<string> {
  const { context, signal } = call;
  let created = createdDirectories;
  let directories = 0;
  const sources = transfers.map(({ source }) => source);
  const options = { done: 'Copied', isListed: isGlob, notes: leftOutLines(leftOut) };
  const copied = await forEachPath(sources, call, options, async (_, index) => {
    const { source, destination } = transfers[index]!;
    created += await createParents(destination, parents, context);
    const each = await context.sandbox.copy(source, destination, { signal, keepsLink: isGlob });
    directories += each.directories;
    return skippedLines(each).join('\n') || undefined;
  });
  if (newLevels > 0)
    return [copied, undo(`delete_file ${displayName(target!)}, recursive`, newLevels - 1)].join('\n');
  // The answer does not list all copied paths, so the client could not name them to undo the copy.
  if (isGlob && transfers.length > maxListed) return copied;
  const recursive = directories > 0 ? ', recursive' : '';
  return [copied, undo(`delete_file with the new paths as its argument paths${recursive}`, created)].join(
    '\n',
  );
}

async function join(args: Input, call: Call<Filesystem>): Promise<string> {
  const { context } = call;
  const { source, sources, glob, destination, parents } = args;
  if (destination === undefined || args.destinations)
    throw new Error('join makes one file: give destination, not destinations');
  const selection = { path: source, paths: sources, glob };
  const { paths, leftOut } = await context.sandbox.select(selection, {
    signal: call.signal,
    name: 'source',
    kinds: leafKinds,
    gitignored: true,
    repositories: 'whole',
  });
  // A glob gives no order, so its files are joined in natural order: `part2` before `part10`.
  const ordered = glob === undefined ? paths : paths.toSorted(byNaturalOrder);
  const created = await createParents(destination, parents, context);
  const { to, bytes } = await context.sandbox.join(ordered, destination, call);
  const shown = context.sandbox.shownPath(to);
  return [
    ...leftOutLines(leftOut),
    `Joined ${counted(paths.length, 'file')} to ${shown} (${bytes} bytes)${glob === undefined ? '' : orderOf(ordered)}`,
    undo(`delete_file ${shown}`, created),
  ].join('\n');
}

function orderOf(paths: readonly string[]): string {
  return ` in natural order, ${displayName(paths[0]!)} to ${displayName(paths.at(-1)!)}`;
}

/** Returns the numbers of entries of a copied directory, which is counted too; empty for a file. */
function contentOf({ files, directories, links }: Copied): string {
  if (directories === 0) return '';
  const parts = [
    counted(files, 'file'),
    counted(directories, 'directory', 'directories'),
    ...(links > 0 ? [counted(links, 'link')] : []),
  ];
  return ` (${parts.join(', ')})`;
}

function skippedLines({ skipped }: Copied): string[] {
  return cappedLines(skipped, (path) => `Skipped: ${path}`);
}
