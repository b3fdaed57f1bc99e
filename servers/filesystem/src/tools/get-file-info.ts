import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Comparison } from '../backend/compare/compare-paths.ts';
import type { Filesystem } from '../context.ts';

export const getFileInfo = defineTool({
  name: 'get_file_info',
  title: 'Get file info',
  description:
    'Returns the kind, size, times and permissions of a file or directory, or its differences from another.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    path: z.string(),
    hash: z.boolean().optional().describe('Add the SHA-256 of a file'),
    compareWith: z.string().optional().describe('Instead, compare with this file or directory'),
  }),

  async run({ path, hash, compareWith }, { sandbox }: Filesystem, { signal, progress }) {
    if (compareWith !== undefined)
      return reportComparison(await sandbox.compare(path, compareWith, { signal, progress }));
    const { created, modified, accessed, hash: sha256, ...rest } = await sandbox.info(path, { hash, signal });
    const facts = {
      ...rest,
      created: created.toISOString(),
      modified: modified.toISOString(),
      accessed: accessed.toISOString(),
      ...(sha256 !== undefined && { sha256 }),
    };
    const lines = Object.entries(facts).map(([name, value]) => `${name}: ${displayName(String(value))}`);
    return lines.join('\n');
  },
});

const maxListed = 500;

function reportComparison(comparison: Comparison): string {
  if (comparison.kind === 'file') {
    const { isSame, sizes, diff } = comparison.files;
    if (isSame) return `Same content: ${sizes[0]} bytes`;
    return diff ?? `Different content: ${sizes[0]} and ${sizes[1]} bytes`;
  }
  const { onlyInFirst, onlyInSecond, different, same, unreadable } = comparison.directories;
  return [
    ...section('Only in path', onlyInFirst),
    ...section('Only in compareWith', onlyInSecond),
    ...section('Different', different),
    ...section(
      'Could not compare',
      unreadable.map(({ path, reason }) => `${path}: ${reason}`),
    ),
    `Same: ${same} files`,
  ].join('\n');
}

function section(title: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const more = paths.length > maxListed ? [`… ${paths.length - maxListed} more`] : [];
  return [`${title}: ${paths.length}`, ...paths.slice(0, maxListed).map((path) => ` ${path}`), ...more];
}
