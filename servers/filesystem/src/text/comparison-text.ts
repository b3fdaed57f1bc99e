import { type Comparison, counted, type DirectoryDifferences, type FileDifferences } from '@mcp/sandbox';
import { cappedLines, firstLines } from './capped-lines.ts';

const maxListed = 500;
const maxSectionLength = 9_000;

export function comparisonText(comparison: Comparison): string {
  return comparison.kind === 'file' ? filesText(comparison.files) : directoriesText(comparison.directories);
}

/** Returns the differences of two files or directories as structured content. */
export function comparisonFacts(comparison: Comparison) {
  if (comparison.kind === 'file') {
    const { isSame, sizes, diff } = comparison.files;
    return { isSame, sizes: [...sizes], ...(diff !== undefined && { diff }) };
  }
  const { onlyInFirst, onlyInSecond, different, same, unreadable, diff } = comparison.directories;
  const lists = [onlyInFirst, onlyInSecond, different];
  return {
    isSame: lists.every(({ length }) => length === 0) && unreadable.total === 0,
    onlyInPath: onlyInFirst.slice(0, maxListed),
    onlyInCompareWith: onlyInSecond.slice(0, maxListed),
    different: different.slice(0, maxListed),
    same,
    unreadable: unreadable.items,
    isCut: lists.some(({ length }) => length > maxListed),
    ...(diff !== '' && { diff }),
  };
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
