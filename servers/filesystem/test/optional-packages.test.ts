import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { TemporaryDirectory } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { installedPackages, optionalNotes } from '../src/optional/installed-packages.ts';

/** The directory of a server that is installed in `node_modules` of a directory, with or without packages. */
function install(directory: TemporaryDirectory, at: string, packages: readonly string[] = []): string {
  directory.put(`${at}/node_modules/@mcp/server-filesystem/package.json`, '{}');
  for (const name of packages)
    directory.put(
      `${at}/node_modules/@mcp/${name}/dist/index.cjs`,
      `exports.name = ${JSON.stringify(name)};`,
    );
  return join(directory.root, at, 'node_modules/@mcp/server-filesystem');
}

function find(own: string, allowed: readonly string[] = []) {
  const warnings: string[] = [];
  const found = installedPackages(allowed, (message) => warnings.push(message), own);
  return { found, warnings };
}

test('packages beside the server are found', () => {
  using directory = new TemporaryDirectory('optional');
  const own = install(directory, 'place', ['outline']);
  const { found, warnings } = find(own);
  expect(found.outline?.([])).toEqual({ name: 'outline' });
  expect(found.documents).toBeUndefined();
  expect(warnings).toEqual([]);
  expect(optionalNotes(own)).toEqual([
    'Optional packages, which are found when they are installed beside this one:',
    '  @mcp/outline: outlines of source files, and the symbols around what a search finds (installed)',
    '  @mcp/documents: the text of PDF, Word and Excel files (not installed)',
  ]);
});

test('packages in directories above, and what is beside the sources, are not', () => {
  using directory = new TemporaryDirectory('optional');
  const own = install(directory, 'above/place');
  install(directory, 'above', ['outline', 'documents']);
  install(directory, '', ['outline', 'documents']);
  expect(find(own).found).toEqual({ outline: undefined, documents: undefined });
  expect(installedPackages([], () => {})).toEqual({ outline: undefined, documents: undefined });
});

test('packages in the working directory are not', () => {
  using directory = new TemporaryDirectory('optional');
  const own = install(directory, 'place');
  install(directory, 'work', ['outline', 'documents']);
  const before = process.cwd();
  process.chdir(join(directory.root, 'work'));
  try {
    expect(find(own).found).toEqual({ outline: undefined, documents: undefined });
  } finally {
    process.chdir(before);
  }
});

test('packages in an allowed directory are not, and a warning says so', () => {
  using directory = new TemporaryDirectory('optional');
  const own = install(directory, 'place', ['outline']);
  const outline = join(directory.root, 'place/node_modules/@mcp/outline');
  const reason = (allowed: string) =>
    `${outline} is not loaded, because it lies in the allowed directory ${allowed}; install it outside`;
  for (const allowed of [directory.root, outline, join(directory.root, 'place')]) {
    const { found, warnings } = find(own, [directory.outside, allowed]);
    expect(found.outline).toBeUndefined();
    expect(warnings).toEqual([reason(allowed)]);
  }
  // The roots of a client are known later.
  const { found } = find(own, [directory.outside]);
  expect(() => found.outline!([directory.root])).toThrow(reason(directory.root));
});

test('packages that a link leads to are judged by both places', () => {
  using directory = new TemporaryDirectory('optional');
  const own = install(directory, 'place');
  directory.put('linked/dist/index.cjs', 'exports.name = "linked";');
  mkdirSync(join(directory.root, 'place/node_modules/@mcp'), { recursive: true });
  const link = join(directory.root, 'place/node_modules/@mcp/outline');
  symlinkSync(join(directory.root, 'linked'), link, 'junction');
  expect(find(own).found.outline?.([])).toEqual({ name: 'linked' });
  for (const name of ['linked', 'place'])
    expect(find(own, [join(directory.root, name)]).warnings).toHaveLength(1);
});
