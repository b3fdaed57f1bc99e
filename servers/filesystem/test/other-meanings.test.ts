import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@mcp/protocol/testing';
import { expect, test } from 'vitest';
import { filesystem } from '../src/server.ts';
import { Workspace } from './workspace.ts';

/** A directory with repositories, and a client of a server for the given directories in it. */
async function open(repositories: readonly string[], directories: readonly string[] = ['.']) {
  const workspace = new Workspace({ 'notes.txt': 'notes\n' });
  for (const name of repositories) {
    mkdirSync(join(workspace.root, name, '.git'), { recursive: true });
    workspace.put(`${name}/src/${name}.ts`, `export const ${name} = 1;\n`);
    workspace.put(`${name}/README.md`, `# ${name}\n`);
  }
  workspace.put('plain/only.txt', 'plain\n');
  const client = await connect(
    filesystem({ directories: directories.map((each) => join(workspace.root, each)) }),
    {},
  );
  const say = async (tool: string, args: object) =>
    (await workspace.say(client, tool, { ...args })).join('\n').replaceAll('/root/', '');
  return { workspace, say, [Symbol.dispose]: () => workspace[Symbol.dispose]() };
}

test('a path from the top of the only repository is understood by every tool', async () => {
  using opened = await open(['h3']);
  const { say, workspace } = opened;
  const path = 'src/h3.ts';
  expect(await say('read_text_file', { path })).toBe('export const h3 = 1;\n');
  expect(await say('read_multiple_files', { paths: [path, 'h3/README.md'] })).toContain('# h3');
  expect(await say('list_directory', { path: 'src' })).toContain('[FILE] h3.ts');
  expect(await say('search_text', { path: 'src', text: 'h3' })).toMatch(/^h3\/src\/h3\.ts\n1\t/);
  expect(await say('search_files', { path: 'src', pattern: '*' })).toBe('h3/src/h3.ts\n1 match');
  expect(await say('directory_tree', { path: 'src' })).toContain('h3.ts');
  expect(await say('get_file_info', { path })).toContain('size: 21');
  expect(await say('edit_file', { path, edits: [{ oldText: '1', newText: '2' }] })).toContain('= 2');
  expect(await say('edit_file', { path: 'README.md', edits: [{ oldText: '#', newText: '##' }] })).toContain(
    '##',
  );
  expect(await say('write_file', { path, content: 'x' })).toBe('Replaced h3/src/h3.ts (1 bytes)');
  expect(await say('write_file', { path: 'src/new.ts', content: 'x' })).toMatch(/^Created h3\/src\/new\.ts /);
  expect(await say('copy_file', { source: path, destination: 'src/copy.ts' })).toContain('to h3/src/copy.ts');
  expect(await say('move_file', { source: 'src/copy.ts', destination: 'src/moved.ts' })).toContain(
    'Moved h3/src/copy.ts to h3/src/moved.ts',
  );
  expect(await say('delete_file', { path: 'src/moved.ts' })).toBe('Permanently deleted h3/src/moved.ts');
  expect(workspace.read('h3/src/new.ts')).toBe('x');
});

test('what is in the first directory, or can be created there, is never meant otherwise', async () => {
  using opened = await open(['h3']);
  const { say, workspace } = opened;
  expect(await say('write_file', { path: 'README.md', content: 'mine' })).toMatch(/^Created README\.md/);
  expect(await say('create_directory', { path: 'src' })).toMatch(/^Created src/);
  expect(await say('write_file', { path: 'src/h3.ts', content: 'mine' })).toMatch(/^Created src\/h3\.ts/);
  expect(await say('write_file', { path: 'lib/a/b.ts', content: 'x', parents: true })).toMatch(
    /^Created lib\/a\/b\.ts/,
  );
  expect(await say('delete_file', { path: 'only.txt' })).toMatch(/^ERROR\nNo such file: "only\.txt"/);
  expect(workspace.read('h3/README.md')).toBe('# h3\n');
  expect(workspace.read('h3/src/h3.ts')).toBe('export const h3 = 1;\n');
  expect(existsSync(join(workspace.root, 'plain/only.txt'))).toBe(true);
  // An absolute path has no other meaning, nor has a path that begins with `./` or `../`.
  for (const path of [join(workspace.root, 'none/h3.ts'), './none/h3.ts', '../h3/src/h3.ts'])
    expect(await say('read_text_file', { path })).toMatch(/^ERROR/);
});

test('of several meanings none is used, and the error names them', async () => {
  using opened = await open(['h3', 'ofetch']);
  const { say } = opened;
  expect(await say('read_text_file', { path: 'src/ofetch.ts' })).toBe('export const ofetch = 1;\n');
  expect(await say('read_text_file', { path: 'README.md' })).toBe(
    'ERROR\nNo such file: "README.md"; it may be "h3/README.md", "ofetch/README.md"',
  );
  expect(await say('write_file', { path: 'src/new.ts', content: '' })).toMatch(
    /^ERROR\nNo such directory: "src"/,
  );
});

test('a path that begins with the name of an allowed directory, or is in another one, is understood', async () => {
  using opened = await open(['h3', 'ofetch'], ['h3', 'ofetch']);
  const { say, workspace } = opened;
  for (const path of ['src/h3.ts', 'h3/src/h3.ts'])
    expect(await say('read_text_file', { path }), path).toBe('export const h3 = 1;\n');
  for (const path of ['src/ofetch.ts', 'ofetch/src/ofetch.ts'])
    expect(await say('read_text_file', { path }), path).toBe('export const ofetch = 1;\n');
  expect(await say('list_directory', { path: 'ofetch' })).toContain('[DIR] src');
  expect(await say('write_file', { path: 'ofetch/src/new.ts', content: 'x' })).toMatch(
    /ofetch\/src\/new\.ts/,
  );
  expect(workspace.read('ofetch/src/new.ts')).toBe('x');
});

test('no other meaning tells what exists outside', async () => {
  using opened = await open(['h3']);
  const { say, workspace } = opened;
  symlinkSync(workspace.outside, join(workspace.root, 'out'));
  symlinkSync(workspace.outside, join(workspace.root, 'h3/lib'));
  workspace.put('h3/out/secret.txt', 'mine');
  workspace.put('h3/out/missing.txt', 'mine');
  for (const name of ['secret.txt', 'missing.txt']) {
    expect(await say('read_text_file', { path: `out/${name}` })).toMatch(/^ERROR\nOutside the allowed/);
    expect(await say('read_text_file', { path: `lib/${name}` })).toBe(`ERROR\nNo such file: "lib/${name}"`);
    expect(await say('write_file', { path: `lib/${name}`, content: '' })).toMatch(
      /^ERROR\nNo such directory/,
    );
  }
});
