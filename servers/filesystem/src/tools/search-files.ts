import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import type { Found } from '../backend/list/find-files.ts';
import type { Filesystem } from '../context.ts';

// Zod's own check of a time publishes a long regular expression with every list of tools.
const time = z.string().optional();

export const searchFiles = defineTool({
  name: 'search_files',
  title: 'Search files',
  description:
    'Finds files and directories by a glob, in a directory and its subdirectories. Skips .git and node_modules ' +
    'unless the pattern names them, and what .gitignore excludes; follows no symlinks.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    path: z.string().describe('Directory to search'),
    pattern: z
      .string()
      .min(1)
      .describe(
        'Glob: *.ts at any depth, src/*.ts relative to path, ** across directories; ? [a-z] {a,b}, \\ escapes',
      ),
    excludePatterns: z.array(z.string()).default([]).describe('Globs to exclude'),
    minSize: z.int().min(0).optional().describe('Bytes'),
    maxSize: z.int().min(0).optional(),
    modifiedAfter: time.describe('ISO 8601'),
    modifiedBefore: time,
    includeIgnored: z.boolean().default(false),
  }),

  async run(
    { path, pattern, excludePatterns, modifiedAfter, modifiedBefore, includeIgnored, ...sizes },
    { sandbox }: Filesystem,
    { signal, progress },
  ) {
    const found = await sandbox.find(path, pattern, {
      ...sizes,
      exclude: excludePatterns,
      modifiedAfter: dateOf(modifiedAfter),
      modifiedBefore: dateOf(modifiedBefore),
      all: includeIgnored,
      signal,
      progress,
    });
    return report(found);
  },
});

function dateOf(iso: string | undefined): Date | undefined {
  if (iso === undefined) return undefined;
  const date = new Date(iso);
  if (Number.isNaN(date.getTime()))
    throw new Error(`Invalid time: ${JSON.stringify(iso)}; expected ISO 8601`);
  return date;
}

function report({ matches, more, unreadable }: Found): string {
  const lines = matches.map(({ shown, kind }) => (kind === 'directory' ? `${shown}/` : shown));
  if (more) lines.push(`… more than ${matches.length} match; narrow the pattern`);
  for (const { path, reason } of unreadable) lines.push(`Could not read ${path}: ${reason}`);
  return lines.join('\n') || 'No match';
}
