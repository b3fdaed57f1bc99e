import { type Call, defineTool, type ToolResult } from '@mcp/protocol';
import * as z from 'zod';
import type { MatchPosition, SearchOptions, SearchResult } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { interpretSearch } from '../input/argument-names.ts';
import { maxPage, maxResultSize } from '../text/bounds.ts';
import { symbolPath } from '../text/outline-text.ts';
import { linesSchema } from '../text/output-schemas.ts';
import { type FoundLines, reportFiles, reportLines, reportNone } from '../text/search-report.ts';

const input = z.object({
  path: z.string().default('.').describe('File or directory'),
  text: z.string().min(1),
  regex: z.boolean().optional().describe('Text is a JavaScript regex'),
  ignoreCase: z.boolean().optional(),
  multiline: z.boolean().optional().describe('Match over lines; . matches line breaks'),
  glob: z.string().optional().describe('Only files that match, such as *.ts or src/**'),
  type: z.string().optional().describe('Only files of a language: ts'),
  excludePatterns: z.array(z.string()).default([]).describe('Globs to exclude'),
  context: z.int().min(0).max(20).default(0).describe('Context lines around each match'),
  limit: z.int().min(1).max(2_000).optional().describe('Lines to return; with filesOnly or countOnly, files'),
  countOnly: z.boolean().optional().describe('Only count the lines per file'),
  filesOnly: z.boolean().optional().describe('Only name the files'),
  cursor: z.string().optional().describe('From the previous page'),
  includeIgnored: z.boolean().optional(),
});

const definition = {
  name: 'search_text',
  title: 'Search text',
  description:
    'Finds lines that contain a text, in a file or in all files of a directory. Skips binary files, .git, ' +
    'node_modules and what .gitignore excludes.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  interpret: interpretSearch,
  _meta: maxResultSize,
  outputSchema: linesSchema,
} as const;

export const searchText = defineTool({ ...definition, inputSchema: input, run: search });

/** The tool `search_text` where the package that makes outlines is installed. */
export const searchTextWithSymbols = defineTool({
  ...definition,
  inputSchema: input.extend({
    symbols: z.boolean().default(true).describe('Name the symbol around matches: @ class A > method b (4-9)'),
  }),
  run: search,
});

type Input = z.infer<typeof input> & { readonly symbols?: boolean };

async function search(
  { path, text, glob, type, excludePatterns, includeIgnored, cursor, symbols, ...options }: Input,
  { context, signal, progress }: Call<Filesystem>,
): Promise<ToolResult<FoundLines>> {
  const { sandbox } = context;
  const filters = { type, exclude: excludePatterns, all: includeIgnored, signal };
  const { ignoreCase, limit, filesOnly, countOnly } = options;
  const found = await sandbox.search(path, text, {
    ...options,
    ...filters,
    multiline: options.multiline ?? /[\r\n]/.test(text),
    after: cursor === undefined ? undefined : positionOf(cursor),
    pattern: glob,
    maxLength: limit === undefined ? maxPage : undefined,
    progress,
  });
  if (found.matches === 0) {
    const isNone = found.searched + found.binary === 0 && glob !== undefined;
    const near = isNone
      ? await sandbox.find(path, glob, { ...filters, kinds: ['file'], limit: 1 })
      : undefined;
    const asRegex = options.regex
      ? 0
      : await matchesAsRegex(sandbox, path, text, { ...filters, ignoreCase, pattern: glob });
    return reportNone(found, { asRegex, type, nearMisses: near?.nearMisses, ignoreCase, includeIgnored });
  }
  const room = limit === undefined ? maxPage : Infinity;
  if (filesOnly || countOnly) return reportFiles(found, { room, isCounted: !filesOnly });
  const named = symbols ? await symbolsOf(found.files, context, signal) : new Map();
  return reportLines(found, named, { room, isContext: options.context > 0 });
}

type File = SearchResult['files'][number];

/** For each file that has an outline, returns the name of the symbol around a line. */
async function symbolsOf(
  files: readonly File[],
  { sandbox, outlines }: Filesystem,
  signal: AbortSignal,
): Promise<Map<File, (line: number) => string>> {
  const symbols = new Map<File, (line: number) => string>();
  for (const file of files) {
    // A file without an outline, such as one that is too large, still has its matches.
    const outline = await outlines?.of(sandbox, file.path, signal).catch(() => signal.throwIfAborted());
    if (outline) symbols.set(file, (line) => symbolPath(outlines!.around(sandbox, outline, line)));
  }
  return symbols;
}

/**
 * Returns how many lines would match if the text, which was searched literally, were a regular expression.
 */
async function matchesAsRegex(
  sandbox: Filesystem['sandbox'],
  path: string,
  text: string,
  options: SearchOptions,
): Promise<number> {
  if (!/[\\^$.*+?()[\]{}|]/.test(text)) return 0;
  try {
    return (await sandbox.search(path, text, { ...options, regex: true, countOnly: true })).matches;
  } catch {
    // The text is not a regular expression, or matching it takes too long.
    options.signal?.throwIfAborted();
    return 0;
  }
}

function positionOf(cursor: string): MatchPosition {
  const { line, path } = /^(?<line>\d{1,15}):(?<path>.+)$/s.exec(cursor)?.groups ?? {};
  if (line === undefined || path === undefined)
    throw new Error(`Invalid cursor: ${JSON.stringify(cursor)}; expected the cursor of a previous page`);
  return { line: Number(line), path };
}
