import { type Comparison, counted, type DirectoryDifferences, type FileDifferences } from '@mcp/sandbox';
import { cappedLines, firstLines } from './capped-lines.ts';

const maxListed = 500;
const maxSectionLength = 9_000;

export function comparisonText(comparison: Comparison): string {
  return comparison.kind === 'file' ? filesText(comparison.files) : directoriesText(comparison.directories);
}

function filesText({ isSame, sizes, diff }: FileDifferences): string {
  if (isSame) return `Same content: ${sizes[0]} bytes`;
  return diff ?? `Different content: ${sizes[0]} and ${sizes[1]} bytes`;
}

function directoriesText(differences: DirectoryDifferences): string {
  const { onlyInFirst, onlyInSecond, different, same, unreadable, diff, isDiffCut } = differences;
  return [
    ...section('Only in path', onlyInFirst),
    ...section('Only in compareWith', onlyInSecond),
    ...section('Different', different),
    ...(unreadable.total > 0 ? [`Could not compare: ${unreadable.total}`] : []),
    ...cappedLines(unreadable, ({ path, reason }) => ` ${path}: ${reason}`),
    `Same: ${counted(same, 'file')}`,
    ...(diff === '' ? [] : [diff.trimEnd()]),
    ...(isDiffCut ? ['… the diff is cut; set maxDiff to see more'] : []),
  ].join('\n');
}

function section(title: string, paths: readonly string[]): string[] {
  const indented = paths.map((path) => ` ${path}`);
  return paths.length === 0
    ? []
    : [`${title}: ${paths.length}`, ...firstLines(indented, maxListed, maxSectionLength)];
}
