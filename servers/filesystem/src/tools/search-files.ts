import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import type { Found } from '../backend/list/find-files.ts';
import type { Filesystem } from '../context.ts';

// Zod's own check of a time is a regular expression that a model would pay for with every list of tools.
const time = z.string().optional();

export const searchFiles = defineTool({
  name: 'search_files',
  title: 'Search files',
  description:
    'Finds files and directories by name, in all directories below one. Skips .git and node_modules ' +
    'unless the pattern names them, and what .gitignore names; does not follow links.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    path: z.string().describe('Directory to search'),
    pattern: z
      .string()
      .min(1)
      .describe(
        'Glob: *.ts at any depth, src/*.ts from there, ** across directories; ? [a-z] {a,b}, \\ escapes',
      ),
    excludePatterns: z.array(z.string()).default([]).describe('Globs of what to leave out'),
    minSize: z.int().min(0).optional().describe('Bytes'),
    maxSize: z.int().min(0).optional(),
    modifiedAfter: time.describe('ISO 8601'),
    modifiedBefore: time,
    includeIgnored: z.boolean().default(false),
  }),
  outputSchema: z.object({
    path: z.string(),
    matches: z.array(z.object({ path: z.string(), kind: z.string() })),
    more: z.boolean().describe('There are more than are shown'),
    unreadable: z.array(z.string()).describe('What could not be looked into, and why'),
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
    return toolResult({
      content: report(found),
      structuredContent: {
        path: found.path,
        matches: found.matches.map((match) => ({ path: match.path, kind: match.kind })),
        more: found.more,
        unreadable: found.unreadable.map(({ path: at, reason }) => `${at}: ${reason}`),
      },
    });
  },
});

function dateOf(iso: string | undefined): Date | undefined {
  if (iso === undefined) return undefined;
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) throw new Error(`Not a time in ISO 8601: ${JSON.stringify(iso)}`);
  return date;
}

function report({ matches, more, unreadable }: Found): string {
  const lines = matches.map(({ shown, kind }) => (kind === 'directory' ? `${shown}/` : shown));
  if (more) lines.push(`… more than ${matches.length} match; narrow the pattern`);
  for (const { path, reason } of unreadable) lines.push(`Could not look into ${path}: ${reason}`);
  return lines.join('\n') || 'Nothing matches';
}
