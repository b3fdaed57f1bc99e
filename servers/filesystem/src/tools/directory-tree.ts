import { type Call, defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import { counted, type TreeNode } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { interpretNames } from '../input/argument-names.ts';
import { maxPage, maxResultSize } from '../text/bounds.ts';
import { listedName } from '../text/listed-name.ts';
import { treeSchema } from '../text/output-schemas.ts';
import { filesView } from '../views.ts';

export const directoryTree = defineTool({
  name: 'directory_tree',
  title: 'Directory tree',
  description:
    'Shows the content of a directory, indented, directories with a slash. Skips .git, node_modules and what ' +
    '.gitignore excludes; shows symlinks without following them.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  interpret: interpretNames({ directory: 'path', max_depth: 'depth' }),
  view: filesView,
  _meta: maxResultSize,

  inputSchema: z.object({
    path: z.string().default('.'),
    excludePatterns: z.array(z.string()).default([]).describe('Globs to exclude'),
    depth: z.int().min(1).optional().describe('Levels to show'),
    limit: z.int().min(1).max(50_000).optional().describe('Entries to show, upper levels first'),
    includeIgnored: z.boolean().default(false),
  }),

  outputSchema: treeSchema,

  async run(
    { path, excludePatterns, depth, limit, includeIgnored },
    { context: { sandbox }, signal, progress }: Call<Filesystem>,
  ) {
    const { root, entries, truncated, isCut } = await sandbox.tree(path, {
      exclude: excludePatterns,
      depth,
      limit,
      maxLength: limit === undefined ? maxPage : undefined,
      all: includeIgnored,
      signal,
      progress,
    });
    const lines: string[] = [];
    print(root, '', lines);
    const structuredContent = {
      entries: flat(root, ''),
      isComplete: !truncated,
      ...(root.more !== undefined && { more: root.more }),
    };
    if (entries === 0 && !truncated) return toolResult({ content: 'Empty directory', structuredContent });
    lines.push(
      truncated
        ? `Incomplete: ${entries} entries shown; … marks omissions${isCut ? '; set limit to show more' : ''}`
        : counted(entries, 'entry', 'entries'),
    );
    return toolResult({ content: lines.join('\n'), structuredContent });
  },
});

/** The entries below a node as a flat list, in the order in which the text of the answer has them. */
function flat({ children = [] }: TreeNode, prefix: string): z.infer<typeof treeSchema>['entries'] {
  return children.flatMap((child) => {
    const { name, kind, cut, more } = child;
    const path = prefix + name;
    const facts = { ...(cut !== undefined && { cut }), ...(more !== undefined && { more }) };
    return [{ path, kind, ...facts }, ...flat(child, `${path}/`)];
  });
}

const notes = { depth: '…', limit: '…', ignored: '… ignored', unreadable: '… unreadable' };

function print({ children, cut, more }: TreeNode, indent: string, lines: string[]): void {
  for (const child of children ?? []) {
    const { shown, kind } = child;
    const mark = kind === 'directory' ? '/' : kind === 'file' ? '' : ` (${kind})`;
    const isClosed = child.cut !== undefined && !child.children;
    lines.push(`${indent}${listedName(shown)}${mark}${isClosed ? ` ${notes[child.cut!]}` : ''}`);
    print(child, `${indent} `, lines);
  }
  if (cut && children) lines.push(`${indent}${more === undefined ? notes[cut] : `… ${more} more`}`);
}
