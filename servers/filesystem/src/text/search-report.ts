import { toolResult, type ToolResult } from '@mcp/protocol';
import {
  counted,
  type MatchPosition,
  type NearMisses,
  nearMissesText,
  type SearchResult,
} from '@mcp/sandbox';
import type * as z from 'zod';
import { fittingLines } from './bounds.ts';
import { unreadableLines } from './capped-lines.ts';
import { listedName } from './listed-name.ts';
import type { linesSchema } from './output-schemas.ts';
import { PageOfLines } from './page-of-lines.ts';

/** The structured content of `search_text`. */
export type FoundLines = z.infer<typeof linesSchema>;
type File = SearchResult['files'][number];

interface Room {
  /** The maximum number of characters of the lines. */
  readonly room: number;
}

/**
 * Reports the lines of a page. In files that `symbols` has, the name of the symbol that contains a line
 * precedes the line.
 */
export function reportLines(
  found: SearchResult,
  symbols: ReadonlyMap<File, (line: number) => string>,
  { room, isContext }: Room & { readonly isContext: boolean },
): ToolResult<FoundLines> {
  const { matches, matchingFiles, before } = found;
  const notes = notesOf(found);
  const page = new PageOfLines(room - notes.join('\n').length, isContext);
  const isComplete = found.files.every((file) => page.add(file, symbols.get(file)));
  const next = isComplete ? found.next : page.last;
  const isPage = before > 0 || next !== undefined;
  const range = isPage ? `Lines ${before + 1} to ${before + page.matches} of ` : '';
  const total = `${range}${counted(matches, 'line')} in ${counted(matchingFiles, 'file')}${continuation(next)}`;
  return toolResult({
    content: [...page.blocks, [...notes, total].join('\n')].join('\n\n'),
    structuredContent: { files: page.files, matches, ...factsOf(found, next) },
  });
}

/** Reports the files of a page; each with the number of its matching lines, if these were counted. */
export function reportFiles(
  found: SearchResult,
  { room, isCounted }: Room & { readonly isCounted: boolean },
): ToolResult<FoundLines> {
  const { files, matches, matchingFiles, before } = found;
  const notes = notesOf(found);
  const lines = isCounted ? counted(matches, 'line') : '';
  const shown = files.map((file) =>
    isCounted ? `${file.count} ${listedName(file.shown)}` : listedName(file.shown),
  );
  shown.splice(fittingLines(shown, room - notes.join('\n').length));
  const next = shown.length < files.length ? { path: files[shown.length - 1]!.path, line: 0 } : found.next;
  const isPage = before > 0 || next !== undefined;
  const range = `Files ${before + 1} to ${before + shown.length} of ${matchingFiles}`;
  const total = isPage
    ? `${range}${lines && `; ${lines} in all`}${continuation(next)}`
    : `${lines && `${lines} in `}${counted(matchingFiles, 'file')}`;
  const listed = files
    .slice(0, shown.length)
    .map(({ path, count }) => ({ path, ...(isCounted && { count }) }));
  return toolResult({
    content: [...shown, ...notes, total].join('\n'),
    structuredContent: { files: listed, ...(isCounted && { matches }), ...factsOf(found, next) },
  });
}

export interface WithoutMatch {
  /** The number of lines that match the text as a regular expression. */
  readonly asRegex: number;
  readonly type: string | undefined;
  readonly nearMisses: NearMisses | undefined;
  readonly ignoreCase: boolean | undefined;
  readonly includeIgnored: boolean | undefined;
}

/** Reports that nothing matches, and what would. */
export function reportNone(
  found: SearchResult,
  { asRegex, type, nearMisses, ignoreCase, includeIgnored }: WithoutMatch,
): ToolResult<FoundLines> {
  const { searched, binary } = found;
  const parts = [
    ...(asRegex > 0 ? [`as a regex: ${counted(asRegex, 'line')}`] : []),
    ...(binary > 0 ? [`skipped ${counted(binary, 'binary file')}`] : []),
    ...(searched + binary === 0 && type !== undefined ? [`no file there is of type ${type}`] : []),
  ];
  const wider = [
    ...(ignoreCase ? [] : ['set ignoreCase to ignore case']),
    ...(includeIgnored ? [] : ['set includeIgnored to search ignored files too']),
  ];
  const said = (each: readonly string[]) => each.map((part) => `; ${part}`).join('');
  const sum = `No match in ${counted(searched, 'file')}${said(parts)}${nearMissesText(nearMisses)}${said(wider)}`;
  return toolResult({
    content: [...notesOf(found), sum].join('\n'),
    structuredContent: {
      files: [],
      matches: 0,
      ...(asRegex > 0 && { asRegex }),
      ...factsOf(found, undefined),
    },
  });
}

/** Returns lines about what was not searched, or not as a whole. */
function notesOf({ unreadable, split }: SearchResult): string[] {
  const parts = `Lines of more than 1 MiB were searched in parts, in ${counted(split, 'file')}: a match across parts is not found`;
  return [...unreadableLines(unreadable), ...(split > 0 ? [parts] : [])];
}

function factsOf(
  { matchingFiles, searched, binary, unreadable }: SearchResult,
  next: MatchPosition | undefined,
) {
  const facts = {
    matchingFiles,
    searched,
    ...(binary > 0 && { binary }),
    unreadable: unreadable.items,
  };
  return { ...facts, ...(next && { next: cursorOf(next) }) };
}

function continuation(next: MatchPosition | undefined): string {
  return next ? `; continue with cursor ${JSON.stringify(cursorOf(next))}` : '';
}

function cursorOf({ line, path }: MatchPosition): string {
  return `${line}:${path}`;
}
