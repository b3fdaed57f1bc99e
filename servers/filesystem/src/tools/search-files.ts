import { type Call, defineTool, toolResult, type ToolResult } from '@mcp/protocol';
import * as z from 'zod';
import {
  counted,
  type DuplicateGroup,
  type Duplicates,
  type Found,
  type FoundEntry,
  nearMissesText,
} from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { interpretNames } from '../input/argument-names.ts';
import { timeOf } from '../input/time-of.ts';
import { fittingLines, maxPage, maxResultSize } from '../text/bounds.ts';
import { firstLines, unreadableLines } from '../text/capped-lines.ts';
import { listedName } from '../text/listed-name.ts';
import { foundSchema } from '../text/output-schemas.ts';

// Zod's own check of a time would publish a long regular expression in every list of tools.
const time = z.string().optional();

export const searchFiles = defineTool({
  name: 'search_files',
  title: 'Search files',
  description:
    'Finds files and directories by a glob, in a directory and its subdirectories. Skips .git and node_modules ' +
    'unless the pattern names them, and what .gitignore excludes; follows no symlinks.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  interpret: interpretNames({ glob: 'pattern', name: 'pattern', head_limit: 'limit' }),
  _meta: maxResultSize,

  inputSchema: z.object({
    path: z.string().default('.').describe('Directory to search'),
    pattern: z
      .string()
      .min(1)
      .describe(
        'Glob: *.ts at any depth, src/*.ts from path, ** across directories; ? [a-z] {a,b}, \\ escapes',
      ),
    type: z.string().optional().describe('Only files of a language: ts'),
    excludePatterns: z.array(z.string()).default([]).describe('Globs to exclude'),
    minSize: z.int().min(0).optional().describe('Bytes'),
    maxSize: z.int().min(0).optional(),
    modifiedAfter: time.describe('ISO 8601, or an age: 2d, 12h'),
    modifiedBefore: time,
    sortBy: z
      .enum(['path', 'size', 'modified'])
      .default('path')
      .describe('size and modified: shown, descending'),
    duplicates: z.boolean().optional().describe('Only groups of files with the same content'),
    limit: z.int().min(1).max(10_000).optional(),
    skip: z.int().min(0).optional().describe('Number of matches on previous pages'),
    includeIgnored: z.boolean().optional(),
  }),

  outputSchema: foundSchema,

  async run(args, { context: { sandbox }, signal, progress }: Call<Filesystem>) {
    const { path, pattern, modifiedAfter, modifiedBefore, skip = 0, ...rest } = args;
    const options = {
      ...rest,
      skip,
      exclude: rest.excludePatterns,
      modifiedAfter: modifiedAfter === undefined ? undefined : timeOf(modifiedAfter),
      modifiedBefore: modifiedBefore === undefined ? undefined : timeOf(modifiedBefore),
      all: rest.includeIgnored,
      signal,
      progress,
    };
    const room = rest.limit === undefined ? maxPage : Infinity;
    if (rest.duplicates)
      return reportDuplicates(await sandbox.findDuplicates(path, pattern, options), skip, room);
    const found = await sandbox.find(path, pattern, options);
    const { total } = found;
    if (total > 0 && skip >= total)
      throw new Error(
        `skip is ${skip}, and there ${total === 1 ? 'is' : 'are'} only ${counted(total, 'match', 'matches')}`,
      );
    return total === 0 ? reportNone(found, rest.includeIgnored ?? false) : report(found, skip, room);
  },
});

type Facts = z.infer<typeof foundSchema>;

function report({ matches, total, unreadable }: Found, skip: number, room: number): ToolResult<Facts> {
  const notes = unreadableLines(unreadable);
  const lines = matches.map(lineOf);
  lines.splice(fittingLines(lines, room - notes.join('\n').length));
  const end = skip + lines.length;
  const more = end < total;
  const isPage = skip > 0 || more;
  const range = isPage ? `Matches ${skip + 1} to ${end} of ${total}` : counted(total, 'match', 'matches');
  const next = more ? `; continue with skip ${end}` : '';
  return toolResult({
    content: [...lines, ...notes, range + next].join('\n'),
    structuredContent: {
      matches: matches.slice(0, lines.length).map(factsOf),
      total,
      unreadable: unreadable.items,
      ...(more && { next: end }),
    },
  });
}

function factsOf({ path, kind, size, modified }: FoundEntry) {
  const facts = {
    ...(size !== undefined && { size }),
    ...(modified && { modified: modified.toISOString() }),
  };
  return { path, kind, ...facts };
}

function reportNone({ nearMisses, unreadable }: Found, all: boolean): ToolResult<Facts> {
  const ignored = all ? '' : '; set includeIgnored to find ignored paths too';
  const none = `No match${nearMissesText(nearMisses)}${ignored}`;
  return toolResult({
    content: [...unreadableLines(unreadable), none].join('\n'),
    structuredContent: { matches: [], total: 0, unreadable: unreadable.items },
  });
}

function lineOf({ shown, kind, size, modified }: FoundEntry): string {
  const name = listedName(shown);
  const facts = [...(size === undefined ? [] : [size]), ...(modified ? [shortTime(modified)] : [])];
  return [kind === 'directory' ? `${name}/` : name, ...facts].join('  ');
}

function reportDuplicates(found: Duplicates, skip: number, room: number): ToolResult<Facts> {
  const { groups, total, files, redundantBytes, searched, unreadable } = found;
  const notes = unreadableLines(unreadable);
  const blocks = groups.map(({ size, files: same }) => {
    const lines = firstLines(
      same.flatMap(duplicateLines),
      Infinity,
      room === Infinity ? room : maxGroupLength,
    );
    return [`${size} bytes`, ...lines].join('\n');
  });
  blocks.splice(fittingLines(blocks, room - notes.join('\n').length - groups.length));
  const end = skip + blocks.length;
  const page = end < total || skip > 0 ? `Groups ${skip + 1} to ${end} of ${total}` : counted(total, 'group');
  const next = end < total ? `; continue with skip ${end}` : '';
  const sum =
    total === 0
      ? `No duplicates in ${counted(searched, 'file')}`
      : `${page}; ${files} files, ${redundantBytes} bytes redundant${next}`;
  const shown = groups.slice(0, blocks.length).map(({ size, files: same }) => {
    const paths = same.map(({ entry, hardLinks }) => {
      return { path: entry.path, hardLinks: hardLinks.map(({ path }) => path) };
    });
    return { size, files: paths };
  });
  return toolResult({
    content: [...blocks, [...notes, sum].join('\n')].join('\n\n'),
    structuredContent: {
      groups: shown,
      total,
      redundantBytes,
      unreadable: unreadable.items,
      ...(end < total && { next: end }),
    },
  });
}

/** The maximum number of characters of a group of files with the same content, unless `limit` is given. */
const maxGroupLength = 20_000;

function duplicateLines({ entry, hardLinks }: DuplicateGroup['files'][number]): string[] {
  const name = listedName(entry.shown);
  return [name, ...hardLinks.map(({ shown }) => `${listedName(shown)}  hard link of ${name}`)];
}

/** Returns a time in ISO 8601, without fractions of a second. */
function shortTime(time: Date): string {
  return time.toISOString().replace(/\.\d+/, '');
}
