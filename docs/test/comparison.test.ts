import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cellsOf } from './blocks.ts';
import { readPage, repository } from './pages.ts';

test('comparison.md names trials that pnpm bench has', () => {
  const names = globSync('bench/trials/*.ts', { cwd: repository }).flatMap((file) =>
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
