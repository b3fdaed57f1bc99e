import { type Content, resourceLink, textContent } from '@mcp/protocol';
import * as z from 'zod';
import {
  directoryText,
  escapeName,
  fittingLines,
  fittingText,
  maxAnswer,
  maxBlobBytes,
  pathInRevision,
  quoted,
  readAtRevision,
} from '@mcp/safe-git';
import { uriOf } from '../input/repository-uri.ts';
import { repositoryTool } from '../input/repository-tool.ts';
import { directoryFacts, fileFacts, readSchema } from '../text/object-facts.ts';

export const gitReadFile = repositoryTool({
  name: 'git_read_file',
  title: 'Read a file of a revision',
  description: 'Reads a file, or lists a directory, of a revision.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  args: {
    path: z.string().describe('"" is the top directory'),
    revision: z.string().default('HEAD').describe('In conflict: :1 base, :2 ours, :3 theirs'),
    start_line: z.int().min(1).optional().describe('From here on, with numbers'),
  },

  facts: readSchema,

  async run(repository, { path: given, revision, start_line }, { context: { structured } }) {
    const { top } = await repository.layout();
    const path = pathInRevision(given, top);
    const found = await readAtRevision(repository, revision, path, { maxBytes: maxBlobBytes });
    if (found.kind === 'directory')
      return {
        text: directoryText(found.entries) || 'Empty directory',
        facts: directoryFacts(found.entries),
      };
    const { size, text } = found;
    const isWhole = text !== undefined && size <= maxBlobBytes;
    const fits = (all: string) => all.length <= maxAnswer && (!structured || fittingText(all) === all);
    if (isWhole && start_line === undefined && fits(text))
      return { text, facts: fileFacts(size, { text, start: 1 }) };
    const link = (): Content[] => {
      if (size > maxBlobBytes || revision.startsWith(':')) return [];
      const name = `${encodeURIComponent(revision)}/${path.split('/').map(encodeURIComponent).join('/')}`;
      return [resourceLink({ uri: uriOf(repository, `blob/${name}`), name: escapeName(path), size })];
    };
    if (text === undefined) {
      const summary = `Binary file of ${size} bytes: ${quoted(path)}`;
      const links = link();
      const shown = links.length === 0 ? `${summary}; too large to send` : [textContent(summary), ...links];
      return { text: shown, facts: fileFacts(size) };
    }
    const page = linesFrom(text, start_line, structured);
    return {
      text: page.isCut ? [textContent(page.text), ...link()] : page.text,
      facts: fileFacts(size, page.exact),
    };
  },
});

interface LinesPage {
  readonly text: string;
  readonly isCut: boolean;
  /** The same lines as they are in the file. */
  readonly exact: { readonly text: string; readonly start: number; readonly next: number | undefined };
}

/**
 * Returns as many lines, from `startLine` on, as fit into an answer. If `structured`, their JSON must fit
 * too. If `startLine` is given, the lines are numbered.
 */
function linesFrom(text: string, startLine: number | undefined, structured: boolean): LinesPage {
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  const start = startLine ?? 1;
  if (start > Math.max(all.length, 1))
    throw new Error(`Invalid start_line: ${start}; the file has ${all.length} lines`);
  const rest = all.slice(start - 1);
  const lines = startLine === undefined ? rest : rest.map((line, index) => `${start + index}\t${line}`);
  const asJson = structured ? fittingLines(rest.map((line) => JSON.stringify(line))) : Infinity;
  const count = Math.min(fittingLines(lines), asJson);
  const end = start + count - 1;
  const isLast = end >= all.length;
  const exact = {
    text: `${rest.slice(0, count).join('\n')}${isLast && !text.endsWith('\n') ? '' : '\n'}`,
    start,
    next: isLast ? undefined : end + 1,
  };
  const whole = lines.slice(0, count).join('\n');
  // A single line can be longer than an answer.
  if (whole.length > maxAnswer - 200) {
    const shown = whole.slice(0, maxAnswer - 200).replace(/[\ud800-\udbff]$/, '');
    const of = `line ${start} of ${all.length}, at ${shown.length} of ${whole.length} characters`;
    const next = start < all.length ? `; more with start_line ${start + 1}` : '';
    return { text: `${shown}\n… cut in ${of}${next}`, isCut: true, exact };
  }
  const shown = isLast && text.endsWith('\n') ? `${whole}\n` : whole;
  if (isLast) return { text: shown, isCut: false, exact };
  const more = `; more with start_line ${end + 1}`;
  return { text: `${shown}\n… lines ${start} to ${end} of ${all.length}${more}`, isCut: true, exact };
}
