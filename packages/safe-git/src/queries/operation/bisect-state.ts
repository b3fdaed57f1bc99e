import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeName } from '../../safe-text.ts';
import { readSmallFile } from '../../read-small-file.ts';
import type { Layout } from '../../trust/repository-layout.ts';

// These functions write what `git bisect` would. Up to 2.39, it runs a hook in spite of core.hooksPath.

export interface BisectSetup {
  /** The branch or the commit of HEAD at its start; undefined if the file does not say. */
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

/** Throws if the bisect has other words than bad and good. */
export function readSetup(layout: Layout): BisectSetup {
  const terms = textOf(layout, 'BISECT_TERMS').trim();
  if (terms !== '' && terms !== 'bad\ngood')
    throw new Error(`The bisect in progress has other words than bad and good: ${escapeName(terms)}`);
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

/** The verdicts so far, such as `good: <hash> <subject>`. */
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
  // The flag makes this fail if the file exists, so that no symlink is followed.
  writeFileSync(path, content, { flag: 'wx' });
}

/** The arguments of a line that git has quoted for a shell, such as ` 'a' 'it'\''s'`. */
function unquoted(line: string): string[] {
  return (line.match(/'[^']*'(?:\\['!]'[^']*')*/g) ?? []).map((word) =>
    word.slice(1, -1).replaceAll(/'\\(['!])'/g, '$1'),
  );
}
