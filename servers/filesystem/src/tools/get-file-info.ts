import { type Call, defineTool, toolResult, type ToolResult } from '@mcp/protocol';
import * as z from 'zod';
import { counted, displayName, type FileInfo } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { interpretNames } from '../input/argument-names.ts';
import { maxPage, maxResultSize } from '../text/bounds.ts';
import { infoSchema } from '../text/output-schemas.ts';
import { severalPaths } from '../input/several-paths.ts';
import { comparisonFacts, comparisonText } from '../text/comparison-text.ts';

const input = z.object({
  path: z.string().optional(),
  paths: severalPaths.describe('Instead of path'),
  hash: z.boolean().optional().describe('Add the SHA-256 of files'),
  compareWith: z.string().optional().describe('Instead, compare with this file or directory'),
  maxDiff: z.int().min(0).max(262_144).optional().describe('Characters of diff; for directories default 0'),
});

type Input = z.infer<typeof input>;
type Facts = z.infer<typeof infoSchema>;

export const getFileInfo = defineTool({
  name: 'get_file_info',
  title: 'Get file info',
  description:
    'Returns the kind, size, times and permissions of files or directories, or the differences of two.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  interpret: interpretNames(),
  _meta: maxResultSize,
  inputSchema: input,

  outputSchema: infoSchema,

  async run(args, call: Call<Filesystem>): Promise<ToolResult<Facts>> {
    if (args.compareWith !== undefined) return compare(args, args.compareWith, call);
    if (args.maxDiff !== undefined)
      throw new Error('maxDiff has no effect without compareWith; give both, or neither');
    const { paths, isOne } = await call.context.sandbox.select(args);
    if (!isOne) return infoOfSeveral(paths, args.hash, call);
    const options = { hash: args.hash, signal: call.signal };
    const info = await call.context.sandbox.info(paths[0]!, options);
    const lines = Object.entries(factsOf(info)).map(([name, value]) => `${name}: ${value}`);
    if (args.hash && info.hash === undefined) lines.push('sha256: none, because only files have one');
    const structuredContent = { files: [{ ...factsOf(info), path: info.path }], total: 1 };
    return toolResult({ content: lines.join('\n'), structuredContent });
  },
});

async function compare(
  { path, paths, maxDiff }: Input,
  otherPath: string,
  { context: { sandbox }, signal, progress }: Call<Filesystem>,
): Promise<ToolResult<Facts>> {
  if (path === undefined || paths)
    throw new Error('compareWith compares with one path: give path, not paths');
  const comparison = await sandbox.compare(path, otherPath, { maxDiff, signal, progress });
  const structuredContent = { comparison: comparisonFacts(comparison) };
  return toolResult({ content: comparisonText(comparison), structuredContent });
}

/** Returns a table with a line for each path. The path is the last column, because it may contain spaces. */
async function infoOfSeveral(
  paths: readonly string[],
  hash: boolean | undefined,
  { context: { sandbox }, signal, progress }: Call<Filesystem>,
): Promise<ToolResult<Facts>> {
  const rows: string[] = [];
  const files: NonNullable<Facts['files']> = [];
  const reasons: NonNullable<Facts['failures']> = [];
  const failures: string[] = [];
  let header = '';
  let length = 0;
  let done = 0;
  for (const [index, path] of paths.entries()) {
    signal.throwIfAborted();
    try {
      const info = await sandbox.info(path, { hash, signal });
      const { path: _, ...facts } = factsOf(info);
      files.push({ ...facts, path: info.path });
      const row = { ...facts, ...(hash && { sha256: facts.sha256 ?? '-' }), path: displayName(path) };
      header = Object.keys(row).join('  ');
      rows.push(Object.values(row).join('  '));
      length += rows.at(-1)!.length + 1;
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      reasons.push({ path, reason });
      failures.push(`Error for ${displayName(path)}: ${reason}`);
      length += failures.at(-1)!.length + 1;
    }
    done = index + 1;
    progress(done, paths.length);
    if (length > maxPage - 2_000) break;
  }
  const total = counted(paths.length, 'path');
  const sum =
    done < paths.length
      ? `Paths 1 to ${done} of ${paths.length}; name the others in another call`
      : failures.length === 0
        ? total
        : `${rows.length} of ${total}`;
  return toolResult({
    content: [...(header ? [header] : []), ...rows, ...failures, sum].join('\n'),
    structuredContent: { files, failures: reasons, total: paths.length },
  });
}

function factsOf({ path, created, modified, accessed, hash, ...rest }: FileInfo) {
  return {
    path: displayName(path),
    ...rest,
    created: created.toISOString(),
    modified: modified.toISOString(),
    accessed: accessed.toISOString(),
    ...(hash !== undefined && { sha256: hash }),
  };
}
