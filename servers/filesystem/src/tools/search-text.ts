import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import {
  counted,
  type MatchPosition,
  nearMissesText,
  type SearchOptions,
  type SearchResult,
} from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { interpretSearch } from '../input/argument-names.ts';
import { fittingLines, maxPage, maxResultSize } from '../text/bounds.ts';
import { unreadableLines } from '../text/capped-lines.ts';
import { symbolPath } from '../text/outline-text.ts';
import { PageOfLines } from '../text/page-of-lines.ts';

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
  limit: z.int().min(1).max(2_000).optional().describe('Lines to return, or files'),
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

async function search(
  { path, text, glob, type, excludePatterns, includeIgnored, cursor, symbols, ...options }: Input,
  { context, signal, progress }: Call<Filesystem>,
): Promise<string> {
  const { sandbox } = context;
  const filters = { type, exclude: excludePatterns, all: includeIgnored, signal };
  const found = await sandbox.search(path, text, {
    ...options,
    ...filters,
    multiline: options.multiline ?? /[\r\n]/.test(text),
    after: cursor === undefined ? undefined : positionOf(cursor),
    pattern: glob,
    maxLength: options.limit === undefined ? maxPage : undefined,
    progress,
  });
  const room = options.limit === undefined ? maxPage : Infinity;
  if (found.matches === 0) {
    const isNone = found.searched === 0 && glob !== undefined;
    const near = isNone
      ? (await sandbox.find(path, glob, { ...filters, kinds: ['file'], limit: 1 })).nearMisses
      : undefined;
    const { ignoreCase } = options;
    const asRegex = options.regex
      ? ''
      : await asRegexText(sandbox, path, text, { ...filters, ignoreCase, pattern: glob });
    const noFile = found.searched === 0 && type !== undefined ? `; no file there is of type ${type}` : '';
    return reportNone(found, asRegex + noFile + nearMissesText(near), widening(ignoreCase, includeIgnored));
  }
  if (options.filesOnly) return reportFiles(found, ({ shown }) => shown, '', room);
  if (options.countOnly)
    return reportFiles(
      found,
      ({ shown, count }) => `${count} ${shown}`,
      counted(found.matches, 'line'),
      room,
    );
  const named = symbols ? await symbolsOf(found.files, context, signal) : new Map();
  return reportLines(found, named, { room, isContext: options.context > 0 });
}

type Input = z.infer<typeof input> & { readonly symbols?: boolean };
type File = SearchResult['files'][number];

/** For each file that has an outline, the name of the symbol around a line. */
type Symbols = ReadonlyMap<File, (line: number) => string>;

async function symbolsOf(
  files: readonly File[],
  { sandbox, outlines }: Filesystem,
  signal: AbortSignal,
): Promise<Symbols> {
  const symbols = new Map<File, (line: number) => string>();
  for (const file of files) {
    // A file without an outline, such as one that is too large, still has its matches.
    const outline = await outlines?.of(sandbox, file.path, signal).catch(() => signal.throwIfAborted());
    if (outline) symbols.set(file, (line) => symbolPath(outlines!.around(sandbox, outline, line)));
  }
  return symbols;
}

interface LinesOptions {
  readonly room: number;
  readonly isContext: boolean;
}

function reportLines(found: SearchResult, symbols: Symbols, options: LinesOptions): string {
  const { matches, matchingFiles, before } = found;
  const notes = unreadableLines(found.unreadable);
  const page = new PageOfLines(options.room - notes.join('\n').length, options.isContext);
  const isComplete = found.files.every((file) => page.add(file, symbols.get(file)));
  const next = isComplete ? found.next : page.last;
  const isPage = before > 0 || next !== undefined;
  const range = isPage ? `Lines ${before + 1} to ${before + page.matches} of ` : '';
  const total = `${range}${counted(matches, 'line')} in ${counted(matchingFiles, 'file')}${continuation(next)}`;
  return [...page.blocks, [...notes, total].join('\n')].join('\n\n');
}

function reportFiles(found: SearchResult, line: (file: File) => string, lines: string, room: number): string {
  const { files, matchingFiles, before } = found;
  const notes = unreadableLines(found.unreadable);
  const shown = files.map(line);
  shown.splice(fittingLines(shown, room - notes.join('\n').length));
  const next = shown.length < files.length ? { path: files[shown.length - 1]!.path, line: 0 } : found.next;
  const isPage = before > 0 || next !== undefined;
  const range = `Files ${before + 1} to ${before + shown.length} of ${matchingFiles}`;
  const total = isPage
    ? `${range}${lines && `; ${lines} in all`}${continuation(next)}`
    : `${lines && `${lines} in `}${counted(matchingFiles, 'file')}`;
  return [...shown, ...notes, total].join('\n');
}

/** Says how many lines match a text as a regular expression, which it was not; empty if none does. */
async function asRegexText(
  sandbox: Filesystem['sandbox'],
  path: string,
  text: string,
  options: SearchOptions,
): Promise<string> {
  if (!/[\\^$.*+?()[\]{}|]/.test(text)) return '';
  try {
    const { matches } = await sandbox.search(path, text, { ...options, regex: true, countOnly: true });
    return matches > 0 ? `; as a regex: ${counted(matches, 'line')}` : '';
  } catch {
    // No regular expression, or one that takes too long.
    options.signal?.throwIfAborted();
    return '';
  }
}

function reportNone({ unreadable, searched }: SearchResult, near: string, more: string): string {
  const sum = `No match in ${counted(searched, 'file')}${near}${more}`;
  return [...unreadableLines(unreadable), sum].join('\n');
}

/** Returns the options that are not set and would make a search without a match search more. */
function widening(ignoreCase: boolean | undefined, includeIgnored: boolean | undefined): string {
  const parts = [
    ...(ignoreCase ? [] : ['set ignoreCase to ignore case']),
    ...(includeIgnored ? [] : ['set includeIgnored to search ignored files too']),
  ];
  return parts.map((part) => `; ${part}`).join('');
}

function continuation(next: MatchPosition | undefined): string {
  return next ? `; continue with cursor ${JSON.stringify(`${next.line}:${next.path}`)}` : '';
}

function positionOf(cursor: string): MatchPosition {
  const { line, path } = /^(?<line>\d{1,15}):(?<path>.+)$/s.exec(cursor)?.groups ?? {};
  if (line === undefined || path === undefined)
    throw new Error(`Invalid cursor: ${JSON.stringify(cursor)}; expected the cursor of a previous page`);
  return { line: Number(line), path };
}
