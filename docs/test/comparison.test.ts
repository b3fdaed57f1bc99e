import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withTasks } from '../task-tables.ts';
import { cellsOf } from './blocks.ts';
import { readPage, repository } from './pages.ts';

test('comparison.md has the tables of tasks of the READMEs', () => {
  const text = readPage('comparison.md');
  expect(text).not.toContain('@include');
  expect(tablesOf(text), 'run `node docs/task-tables.ts`').toEqual(tablesOf(withTasks(text)));
});

test('comparison.md has a row of sums for each peer', () => {
  const [, section = ''] = readPage('comparison.md').split('## What a task costs');
  const peers = [...section.matchAll(/^\| (\w+) +\| ([\w-]+) +\| +\d+ \|/gm)];
  expect(peers.map(([, server, peer]) => [server, peer])).toEqual([
    ['filesystem', 'official'],
    ['filesystem', 'j0hanz'],
    ['git', 'cyanheads'],
    ['sqlite', 'mcp-sqlite-tools'],
    ['sqlite', 'dbhub'],
    ['weather', 'open-meteo-mcp-server'],
  ]);
});

/** The cells of all tables. */
function tablesOf(text: string): string[][] {
  const rows = text.split('\n').filter((line) => /^\|(?![ :|-]*$)/.test(line));
  return rows.map(cellsOf);
}

test('comparison.md names trials that pnpm bench has', () => {
  const names = globSync('bench/trials/*/*.ts', { cwd: repository }).flatMap((file) =>
    Array.from(
      readFileSync(join(repository, file), 'utf8').matchAll(/name: '([\w-]+)'/g),
      ([, name]) => name,
    ),
  );
  const [, section = ''] = readPage('comparison.md').split('## Speed and memory');
  const named = section.split('\n').flatMap((line) => /^`([\w-]+)`$/.exec(cellsOf(line)[0] ?? '')?.[1] ?? []);
  expect(named.length).toBeGreaterThan(20);
  expect(names).toEqual(expect.arrayContaining(named));
});
