import { type Call, defineTool, toolResult, type ToolResult } from '@mcp/protocol';
import * as z from 'zod';
import { counted } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { globInPath } from '../input/several-paths.ts';
import { maxPage } from '../text/bounds.ts';
import { outlineSchema } from '../text/output-schemas.ts';
import { outlineLines, outlineNotes } from '../text/outline-text.ts';

/** The most files of a directory that are considered. */
const maxFiles = 10_000;

export const outline = defineTool({
  name: 'outline',
  title: 'Outline',
  description:
    'Lists the symbols of a source file, or of all in a directory, with their lines: functions, classes, methods, ' +
    'headings, keys. For TypeScript, JavaScript, Python, Go, Rust, Java, C, Markdown and JSON.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    path: z.string().default('.').describe('File or directory'),
    glob: globInPath.describe('Only files in the directory that match; default: all but JSON'),
    depth: z.int().min(1).optional().describe('Levels; default: all of a file, 1 in a directory'),
    offset: z.int().min(1).optional().describe('Only symbols from this line of the file on'),
    skip: z.int().min(0).optional().describe('Number of files on previous pages'),
  }),

  outputSchema: outlineSchema,

  async run(args, call: Call<Filesystem>): Promise<ToolResult<Outlined>> {
    const { path, glob, offset } = args;
    const info = await call.context.sandbox.info(path);
    if (info.kind !== 'directory') {
      if ((glob ?? args.skip) !== undefined)
        throw new Error('glob and skip are for a directory, which path is not; leave them out');
      return outlineOfFile(args, call);
    }
    if (offset !== undefined) throw new Error('offset is for a file, and path is a directory; leave it out');
    return outlineOfDirectory(args, call);
  },
});

type Outlined = z.infer<typeof outlineSchema>;

/** The outline of one file of a directory. */
interface Block {
  readonly text: string;
  readonly facts: Outlined['files'][number];
}

interface Input {
  readonly path: string;
  readonly glob?: string | undefined;
  readonly depth?: number | undefined;
  readonly offset?: number | undefined;
  readonly skip?: number | undefined;
}

async function outlineOfFile(
  { path, depth, offset }: Input,
  { context: { sandbox, outlines }, signal }: Call<Filesystem>,
): Promise<ToolResult<Outlined>> {
  const found = await outlines!.of(sandbox, path, signal);
  if (!found)
    throw new Error(`No outline of ${JSON.stringify(path)}: not a file of a language with outlines`);
  const { lines, next, shown } = outlineLines(found, { depth, offset, room: maxPage });
  const facts = [counted(found.count, 'symbol'), ...outlineNotes(found)];
  const more = next === undefined ? '' : `; there is more: continue with offset ${next}, or pass depth`;
  return toolResult({
    content: [...lines, `${facts.join('; ')}${more}`].join('\n'),
    structuredContent: {
      files: [{ path, symbols: shown, notes: outlineNotes(found) }],
      ...(next !== undefined && { next: { offset: next } }),
    },
  });
}

async function outlineOfDirectory(
  { path, glob, depth = 1, skip = 0 }: Input,
  { context: { sandbox, outlines }, signal, progress }: Call<Filesystem>,
): Promise<ToolResult<Outlined>> {
  const found = await sandbox.find(path, glob ?? '*', { kinds: ['file'], limit: maxFiles, signal });
  if (found.more) throw new Error(`${found.total} files match, more than ${maxFiles}; narrow path or glob`);
  const files = found.matches.filter((file) => {
    const language = outlines!.languageOf(sandbox, file.path);
    return language !== undefined && (language !== 'json' || glob !== undefined);
  });
  if (files.length === 0) {
    const content = `No source file among ${counted(found.total, 'file')}`;
    return toolResult({ content, structuredContent: { files: [] } });
  }
  const blocks: string[] = [];
  const outlined: Outlined['files'] = [];
  let room = maxPage;
  let end = skip;
  let symbols = 0;
  for (const { path: file, shown } of files.slice(skip)) {
    signal.throwIfAborted();
    const block = await blockOf(file, shown);
    if (block.text.length > room && end > skip) break;
    end++;
    const { facts } = block;
    if (facts.symbols.length > 0 || facts.notes.length > 0) {
      blocks.push(block.text);
      outlined.push(facts);
    }
    symbols += facts.symbols.length;
    room -= block.text.length + 2;
    progress(end, files.length);
    if (room <= 0) break;
  }
  const isPage = skip > 0 || end < files.length;
  const range = isPage ? `files ${skip + 1} to ${end} of ${files.length}` : counted(files.length, 'file');
  const next = end < files.length ? `; continue with skip ${end}` : '';
  return toolResult({
    content: [...blocks, `${counted(symbols, 'symbol')} in ${range}${next}`].join('\n\n'),
    structuredContent: { files: outlined, ...(end < files.length && { next: { skip: end } }) },
  });

  async function blockOf(file: string, shown: string): Promise<Block> {
    try {
      const made = (await outlines!.of(sandbox, file, signal))!;
      const { lines, next: cut, shown: listed } = outlineLines(made, { depth, room: maxPage / 2 });
      const notes = [
        ...outlineNotes(made),
        ...(cut === undefined ? [] : [`there is more: call outline with this path and offset ${cut}`]),
      ];
      const heading = `${shown}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
      return { text: [heading, ...lines].join('\n'), facts: { path: file, symbols: listed, notes } };
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      return { text: `${shown} (${reason})`, facts: { path: file, symbols: [], notes: [reason] } };
    }
  }
}
