import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { outcome } from './helper.ts';
import { openDescriptors } from '@mcp/test-kit';
import { Workspace } from './workspace.ts';

const uri = (path: string) => pathToFileURL(path).href;

test('after 3,000 changes of roots, each directory is open once', async (context) => {
  context.skip(process.platform !== 'linux', 'Only Linux lists the descriptors of a process in /proc');
  using workspace = new Workspace({ 'one/a.txt': 'one', 'two/b.txt': 'two' });
  using sandbox = workspace.open();
  for (let change = 0; change < 3000; change++) {
    const name = change % 2 === 0 ? 'one' : 'two';
    const narrowed = await sandbox.within([uri(join(workspace.root, name))]);
    expect(narrowed.directories).toEqual([join(workspace.root, name)]);
  }
  expect(openDescriptors(workspace.root).length).toBeLessThanOrEqual(3);
});

test('a root that cannot be opened because no descriptor is left allows nothing', async (context) => {
  context.skip(process.platform !== 'linux', 'Requires the descriptor limit of Linux');
  using workspace = new Workspace({ 'one/a.txt': 'one' });
  const result = await outcome(
    `
    const { Sandbox } = await import(source + 'sandbox.ts');
    await import(source + 'access/client-roots.ts');
    const sandbox = Sandbox.open({ directories: [${JSON.stringify(workspace.root)}] });
    try { for (;;) fs.openSync('/dev/null'); } catch {}
    const narrowed = await sandbox.within([${JSON.stringify(uri(join(workspace.root, 'one')))}]);
    process.stdout.write(JSON.stringify(narrowed.directories) + '\\n');`,
    { through: ['prlimit', '--nofile=200'] },
  );
  expect(result).toEqual([]);
});

test.each([
  { what: 'malformed', root: () => 'https://example.com/' },
  { what: 'missing', root: (inside: string) => uri(join(inside, 'missing')) },
])('a $what root never widens the allowed directories', async ({ root }) => {
  using workspace = new Workspace({ 'one/a.txt': 'one' });
  const warnings: string[] = [];
  using sandbox = workspace.open({ warn: (message) => warnings.push(message) });
  const one = join(workspace.root, 'one');
  expect((await sandbox.within([root(workspace.root), uri(one)])).directories).toEqual([one]);
  expect((await sandbox.within([root(workspace.root)])).directories).toEqual([]);
  expect(warnings).toHaveLength(2);
});

test('roots outside the allowed directories do not change them', async () => {
  using workspace = new Workspace();
  using sandbox = workspace.open();
  mkdirSync(join(workspace.outside, 'elsewhere'));
  for (const name of ['elsewhere', 'missing'])
    expect((await sandbox.within([uri(join(workspace.outside, name))])).directories).toEqual([
      workspace.root,
    ]);
});

test('the URI of a root is decoded once, and an invalid root is skipped with a reason', async () => {
  using workspace = new Workspace();
  const at = (path: string) => join(workspace.root, path);
  const warnings: string[] = [];
  using sandbox = workspace.open({
    directories: [],
    warn: (message) => warnings.push(message.replaceAll(workspace.base, '')),
  });
  mkdirSync(at('a b'));
  mkdirSync(at('100%25'));
  writeFileSync(at('file'), '');
  const roots = [
    uri(at('a b')),
    uri(at('a b')),
    uri(at('100%25')),
    'https://example.com/',
    'file://elsewhere/share',
    'file:///c%3A/temp',
    uri(at('missing')),
    uri(at('file')),
    'file:///a%2Fb',
    'nonsense',
  ];
  expect((await sandbox.within(roots)).directories).toEqual([at('a b'), at('100%25')]);
  expect(warnings).toEqual([
    'Root skipped: Not a file URI: "https://example.com/"',
    'Root skipped: Not a path on this system: "file://elsewhere/share"',
    'Root skipped: No such directory: "/c:/temp"',
    'Root skipped: No such directory: "/root/missing"',
    'Root skipped: Not a directory: "/root/file"',
    'Root skipped: Not a path on this system: "file:///a%2Fb"',
    'Root skipped: Not a file URI: "nonsense"',
  ]);
  const many = Array.from({ length: 1_000 }, (_, index) => uri(at(`many/${index}`)));
  for (let index = 0; index < 1_000; index++) mkdirSync(at(`many/${index}`), { recursive: true });
  expect((await sandbox.within(many)).directories).toHaveLength(100);
  expect(warnings.at(-1)).toBe('Only the first 100 of 1000 roots are used');
});
