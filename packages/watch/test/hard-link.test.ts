import { appendFileSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { modes } from './modes.ts';
import { Workspace } from './workspace.ts';

describe.each(modes)('a file with another hard link, %s', (_, options) => {
  test('is reported when it is written through the other link', async () => {
    using workspace = new Workspace(options);
    const { path, other } = linkedFile(workspace);
    const calls = await workspace.watch(path);

    await calls.after(() => appendFileSync(other, ' and more'));
    await calls.after(() => writeFileSync(other, 'other text'));
  });

  test('is reported when it is reached through a symbolic link', async () => {
    using workspace = new Workspace(options);
    const { path, other } = linkedFile(workspace);
    symlinkSync(path, workspace.path('link'));
    const calls = await workspace.watch(workspace.path('link'));

    await calls.after(() => appendFileSync(other, ' and more'));
  });

  test('is reported when it replaced a file without another link', async () => {
    using workspace = new Workspace(options);
    const { path, other } = linkedFile(workspace);
    const replaced = workspace.path('watched', 'replaced');
    writeFileSync(replaced, 'one link');
    const calls = await workspace.watch(replaced);

    await calls.after(() => renameSync(path, replaced));
    await calls.after(() => appendFileSync(other, ' and more'));
  });
});

test('a hard-linked file is no longer polled once it has one link', async () => {
  using workspace = new Workspace({ pollParents: false });
  const { path, other } = linkedFile(workspace);
  let reads = 0;
  const calls = await workspace.watch(path, { identity: async () => String(++reads) });
  await calls.after(() => {});

  rmSync(other);
  await calls.after(() => writeFileSync(path, 'one link'));
  await workspace.quiet();
  const before = reads;
  await workspace.quiet();
  await workspace.quiet();
  expect(reads).toBe(before);
});

/** A file in a watched directory, with a second link in one that is not watched. */
function linkedFile(workspace: Workspace) {
  for (const name of ['watched', 'elsewhere']) mkdirSync(workspace.path(name));
  const path = workspace.path('watched', 'file');
  const other = workspace.path('elsewhere', 'other');
  writeFileSync(path, 'text');
  linkSync(path, other);
  return { path, other };
}
