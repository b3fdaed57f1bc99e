import { type Content, resourceLink, textContent } from '@mcp/protocol';
import * as z from 'zod';
import {
  directoryText,
  escapeName,
  fittingLines,
  maxAnswer,
  maxBlobBytes,
  pathInRevision,
  quoted,
  readAtRevision,
} from '@mcp/safe-git';
import { uriOf } from '../input/repository-uri.ts';
import { repositoryTool } from '../input/repository-tool.ts';

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

  async run(repository, { path: given, revision, start_line }) {
    const { top } = await repository.layout();
    const path = pathInRevision(given, top);
    const found = await readAtRevision(repository, revision, path, { maxBytes: maxBlobBytes });
    if (found.kind === 'directory') return directoryText(found.entries) || 'Empty directory';
    const { size, text } = found;
    const isWhole = text !== undefined && size <= maxBlobBytes;
    if (isWhole && start_line === undefined && text.length <= maxAnswer) return text;
    const link = (): Content[] => {
      if (size > maxBlobBytes || revision.startsWith(':')) return [];
      const name = `${encodeURIComponent(revision)}/${path.split('/').map(encodeURIComponent).join('/')}`;
      return [resourceLink({ uri: uriOf(repository, `blob/${name}`), name: escapeName(path), size })];
    };
    if (text === undefined) {
      const summary = `Binary file of ${size} bytes: ${quoted(path)}`;
      const links = link();
      return links.length === 0 ? `${summary}; too large to send` : [textContent(summary), ...links];
    }
    const page = linesFrom(text, start_line);
    return page.isCut ? [textContent(page.text), ...link()] : page.text;
  },
});

/** The lines of a text from a number on that fit into an answer; with numbers if a first line is given. */
function linesFrom(text: string, startLine: number | undefined): { text: string; isCut: boolean } {
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  const start = startLine ?? 1;
  if (start > Math.max(all.length, 1))
    throw new Error(`Invalid start_line: ${start}; the file has ${all.length} lines`);
  const rest = all.slice(start - 1);
  const lines = startLine === undefined ? rest : rest.map((line, index) => `${start + index}\t${line}`);
  const count = fittingLines(lines);
  const end = start + count - 1;
  const whole = lines.slice(0, count).join('\n');
  // A single line can be longer than an answer.
  if (whole.length > maxAnswer - 200) {
    const shown = whole.slice(0, maxAnswer - 200).replace(/[\ud800-\udbff]$/, '');
    const of = `line ${start} of ${all.length}, at ${shown.length} of ${whole.length} characters`;
    const next = start < all.length ? `; more with start_line ${start + 1}` : '';
    return { text: `${shown}\n… cut in ${of}${next}`, isCut: true };
  }
  const shown = end >= all.length && text.endsWith('\n') ? `${whole}\n` : whole;
  if (end >= all.length) return { text: shown, isCut: false };
  const more = `; more with start_line ${end + 1}`;
  return { text: `${shown}\n… lines ${start} to ${end} of ${all.length}${more}`, isCut: true };
}
