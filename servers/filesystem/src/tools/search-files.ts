import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import type { DuplicateGroup, Duplicates } from '../backend/list/find-duplicates.ts';
import type { Found, FoundEntry } from '../backend/list/find-files.ts';
import type { Filesystem } from '../context.ts';
import { timeOf } from '../input/time-of.ts';
import { unreadableLines } from '../text/capped-lines.ts';
import { counted } from '../text/counted.ts';
import { nearMissesText } from '../text/no-match.ts';

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
    path: z.string().default('.').describe('Directory to search'),
    pattern: z
      .string()
      .min(1)
      .describe(
        'Glob: *.ts at any depth, src/*.ts from path, ** across directories; ? [a-z] {a,b}, \\ escapes',
      ),
    excludePatterns: z.array(z.string()).default([]).describe('Globs to exclude'),
    minSize: z.int().min(0).optional().describe('Bytes'),
    maxSize: z.int().min(0).optional(),
    modifiedAfter: time.describe('ISO 8601'),
    modifiedBefore: time,
    sortBy: z
      .enum(['path', 'size', 'modified'])
      .default('path')
      .describe('size and modified: shown, descending'),
    duplicates: z.boolean().optional().describe('Only groups of files with the same content'),
    limit: z.int().min(1).max(10_000).default(1_000),
    skip: z.int().min(0).optional().describe('Matches of the previous pages'),
    includeIgnored: z.boolean().optional(),
  }),

  async run(
    {
      path,
      pattern,
      excludePatterns,
      modifiedAfter,
      modifiedBefore,
      includeIgnored,
      duplicates,
      skip = 0,
      ...rest
    },
    { sandbox }: Filesystem,
    { signal, progress },
  ) {
    const options = {
      ...rest,
      skip,
      exclude: excludePatterns,
      modifiedAfter: modifiedAfter === undefined ? undefined : timeOf(modifiedAfter),
      modifiedBefore: modifiedBefore === undefined ? undefined : timeOf(modifiedBefore),
      all: includeIgnored,
      signal,
      progress,
    };
    if (duplicates) return reportDuplicates(await sandbox.findDuplicates(path, pattern, options), skip);
    const found = await sandbox.find(path, pattern, options);
    const { total } = found;
    if (total > 0 && skip >= total)
      throw new Error(
        `skip is ${skip}, and there ${total === 1 ? 'is' : 'are'} only ${counted(total, 'match', 'matches')}`,
      );
    return found.total === 0 ? reportNone(found, includeIgnored ?? false) : report(found, skip);
  },
});

function report({ matches, total, more, unreadable }: Found, skip: number): string {
  const isPage = skip > 0 || more;
  const end = skip + matches.length;
  const range = isPage ? `Matches ${skip + 1} to ${end} of ${total}` : counted(total, 'match', 'matches');
  const next = more ? `; continue with skip ${end}` : '';
  return [...matches.map(lineOf), ...unreadableLines(unreadable), range + next].join('\n');
}

function reportNone({ nearMisses, unreadable }: Found, all: boolean): string {
  const ignored = all ? '' : '; includeIgnored finds ignored paths too';
  return [...unreadableLines(unreadable), `No match${nearMissesText(nearMisses)}${ignored}`].join('\n');
}

function lineOf({ shown, kind, size, modified }: FoundEntry): string {
  const facts = [...(size === undefined ? [] : [size]), ...(modified ? [shortTime(modified)] : [])];
  return [kind === 'directory' ? `${shown}/` : shown, ...facts].join('  ');
}

function reportDuplicates(found: Duplicates, skip: number): string {
  const { groups, total, files, redundantBytes, searched, unreadable } = found;
  const blocks = groups.map(
    ({ size, files: same }) => `${size} bytes\n${same.flatMap(duplicateLines).join('\n')}`,
  );
  const end = skip + groups.length;
  const page = end < total || skip > 0 ? `Groups ${skip + 1} to ${end} of ${total}` : counted(total, 'group');
  const next = end < total ? `; continue with skip ${end}` : '';
  const sum =
    total === 0
      ? `No duplicates in ${counted(searched, 'file')}`
      : `${page}; ${files} files, ${redundantBytes} bytes redundant${next}`;
  return [...blocks, [...unreadableLines(unreadable), sum].join('\n')].join('\n\n');
}

function duplicateLines({ entry, hardLinks }: DuplicateGroup['files'][number]): string[] {
  return [entry.shown, ...hardLinks.map(({ shown }) => `${shown}  hard link of ${entry.shown}`)];
}

/** Without fractions of a second. */
function shortTime(time: Date): string {
  return time.toISOString().replace(/\.\d+/, '');
}
