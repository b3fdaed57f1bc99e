import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf, ours, peers } from '../../bench/side-by-side/libraries.ts';
import { type Results, resultsFile } from '../../bench/side-by-side/results.ts';
import { withResults } from '../side-by-side.ts';
import { rowsOf } from './blocks.ts';
import { readPage, repository } from './pages.ts';

const results = JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;

const officialClient = join(repository, 'bench/node_modules/@modelcontextprotocol/client');

test('side-by-side.md has the results, and the lines of the programs as they are', () => {
  const text = readPage('side-by-side.md');
  expect(rowsOf(text), 'run `node docs/side-by-side.ts`').toEqual(rowsOf(withResults(text)));
});

test.each(peers)('the results are of the versions that $folder installs', (library) => {
  const manifest = JSON.parse(readFileSync(join(folderOf(library), 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
  };
  const { zod: _, ...named } = { ...manifest.dependencies, ...manifest.devDependencies };
  expect(results.libraries[library.folder]?.versions).toEqual(named);
  expect(Object.keys(named).toSorted()).toEqual(library.packages.toSorted());
});

test('our server can do what the page says', { timeout: 300_000 }, async (context) => {
  context.skip(
    !existsSync(officialClient),
    'The official client is not installed: `pnpm --dir bench install`',
  );
  const { tryServer } = await import('../../bench/side-by-side/try-server.ts');
  expect(await tryServer(ours)).toEqual(results.libraries[ours.folder]!.trials);
});
