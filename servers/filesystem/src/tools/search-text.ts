import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import type { SearchResult } from '../backend/search/search-text.ts';
import type { Filesystem } from '../context.ts';

export const searchText = defineTool({
  name: 'search_text',
  title: 'Search text',
  description:
    'Finds lines that contain a text, in a file or in all files of a directory. Skips binary files, .git, ' +
    'node_modules and what .gitignore excludes.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    path: z.string().describe('File or directory to search'),
    text: z.string().min(1).describe('Literal text to find'),
    regex: z.boolean().default(false).describe('Text is a JavaScript regular expression'),
    ignoreCase: z.boolean().default(false),
    glob: z.string().optional().describe('Only files that match, such as *.ts or src/**'),
    excludePatterns: z.array(z.string()).default([]).describe('Globs to exclude'),
    context: z.int().min(0).max(20).default(0).describe('Context lines around each match'),
    limit: z
      .int()
      .min(1)
      .max(2_000)
      .default(200)
      .describe('Matching lines to return, or files with countOnly'),
    countOnly: z.boolean().default(false).describe('Only count the matching lines, per file and in all'),
    includeIgnored: z.boolean().default(false),
  }),

  async run(
    { path, text, glob, excludePatterns, includeIgnored, ...options },
    { sandbox }: Filesystem,
    { signal, progress },
  ) {
    const found = await sandbox.search(path, text, {
      ...options,
      pattern: glob,
      exclude: excludePatterns,
      all: includeIgnored,
      signal,
      progress,
    });
    return options.countOnly && found.matches > 0 ? reportCounts(found) : report(found, includeIgnored);
  },
});

function reportCounts({ files, matches, matchingFiles, more, unreadable }: SearchResult): string {
  const counts = files.map(({ shown, count }) => `${count} ${shown}`);
  if (more) counts.push(`… ${matchingFiles - files.length} more files`);
  const notes = unreadable.map(({ path, reason }) => `Could not read ${path}: ${reason}`);
  return [...counts, ...notes, `In all ${matches} matching lines in ${matchingFiles} files`].join('\n');
}

function report({ files, matches, more, searched, unreadable }: SearchResult, all: boolean): string {
  const blocks = files.map(({ shown, lines }) => {
    let last = lines[0]!.number - 1;
    const printed = lines.flatMap(({ number, text, matches: isMatch }) => {
      const gap = number > last + 1 ? ['--'] : [];
      last = number;
      return [...gap, `${number}${isMatch ? ':' : '-'} ${text}`];
    });
    return `${shown}\n${printed.join('\n')}`;
  });
  const notes = unreadable.map(({ path, reason }) => `Could not read ${path}: ${reason}`);
  if (more) notes.push(`… more than these ${matches} lines match; narrow the search`);
  if (matches === 0) {
    const ignored = all ? '' : '; includeIgnored searches ignored files too';
    notes.push(`No match in ${searched} files${ignored}`);
  }
  return [...blocks, ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n');
}
