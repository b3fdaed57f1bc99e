import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeName, quoted } from '../../safe-text.ts';
import { readSmallFile } from '../../read-small-file.ts';
import type { Layout } from '../../trust/repository-layout.ts';

// These functions write the same files as `git bisect`, because that command runs a hook up to git 2.39 in
// spite of core.hooksPath.

export interface BisectSetup {
  /**
   * The branch or commit of HEAD when the bisect was started; undefined if BISECT_START is missing or empty.
   */
  readonly start: string | undefined;
  readonly paths: readonly string[];
  readonly firstParent: boolean;
}

const maxBytes = 1024 * 1024;
const files = [
  'BISECT_ANCESTORS_OK',
  'BISECT_FIRST_PARENT',
  'BISECT_LOG',
  'BISECT_NAMES',
  'BISECT_RUN',
  'BISECT_TERMS',
  'BISECT_START',
];

function textOf({ gitDir }: Layout, name: string): string {
  return readSmallFile(join(gitDir, name), maxBytes)?.toString('utf8') ?? '';
}

/** Reads how the bisect was started. Throws if it uses custom terms instead of `bad` and `good`. */
export function readSetup(layout: Layout): BisectSetup {
  const terms = textOf(layout, 'BISECT_TERMS').trim();
  if (terms !== '' && terms !== 'bad\ngood')
    throw new Error(
      `The bisect in progress uses the terms ${terms.split('\n').map(quoted).join(' and ')} and not bad and good: finish it with git`,
    );
  return {
    start: textOf(layout, 'BISECT_START').trim() || undefined,
    paths: unquoted(textOf(layout, 'BISECT_NAMES')),
    firstParent:
      lstatSync(join(layout.gitDir, 'BISECT_FIRST_PARENT'), { throwIfNoEntry: false }) !== undefined,
  };
}

export function writeSetup(layout: Layout, { start, paths }: BisectSetup): void {
  const names = paths.map((path) => ` '${path.replaceAll(/['!]/g, (sign) => `'\\${sign}'`)}'`).join('');
  write(layout, 'BISECT_START', `${start}\n`);
  write(layout, 'BISECT_NAMES', `${names}\n`);
  write(layout, 'BISECT_TERMS', 'bad\ngood\n');
  write(layout, 'BISECT_LOG', '');
}

/** Adds lines to the log of verdicts. */
export function addToLog(layout: Layout, added: readonly string[]): void {
  write(layout, 'BISECT_LOG', textOf(layout, 'BISECT_LOG') + added.map((line) => `${line}\n`).join(''));
}

export interface JudgedCommit {
  /** `good`, `bad` or `skip`, or `first bad commit` at the end. */
  readonly verdict: string;
  readonly hash: string;
  readonly subject: string;
}

/** The verdicts so far. */
export function readVerdicts(layout: Layout): JudgedCommit[] {
  const lines = textOf(layout, 'BISECT_LOG').matchAll(/^# ([^:\n]*): \[([0-9a-f]{40,64})\] ?(.*)$/gm);
  return Array.from(lines, ([, verdict = '', hash = '', subject = '']) => ({ verdict, hash, subject }));
}

/** The verdicts so far as lines, such as `good: <hash> <subject>`. */
export function readLog(layout: Layout): string[] {
  return textOf(layout, 'BISECT_LOG')
    .split('\n')
    .filter((line) => line.startsWith('# '))
    .map((line) => escapeName(line.slice(2).replace(/\[([0-9a-f]{10})[0-9a-f]*\]/, '$1')));
}

export function removeSetup({ gitDir }: Layout): void {
  for (const name of files) rmSync(join(gitDir, name), { force: true });
}

function write({ gitDir }: Layout, name: string, content: string): void {
  const path = join(gitDir, name);
  rmSync(path, { force: true });
  // With the flag `wx`, writing fails if the path exists, so that no symlink is followed.
  writeFileSync(path, content, { flag: 'wx' });
}

/** The arguments of a line that git has quoted for a shell, such as ` 'a' 'it'\''s'`. */
function unquoted(line: string): string[] {
  return (line.match(/'[^']*'(?:\\['!]'[^']*')*/g) ?? []).map((word) =>
    word.slice(1, -1).replaceAll(/'\\(['!])'/g, '$1'),
  );
}
