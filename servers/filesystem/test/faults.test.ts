import { linkSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { everyFault, noCompiler } from '@mcp/test-kit';
import { expect, test, type TestContext, vi } from 'vitest';
import { startFaulty } from './faulty-server.ts';
import { Workspace } from './workspace.ts';

// They repeat each operation for each call that may fail.
vi.setConfig({ testTimeout: 120_000 });

const { EIO, ENOSPC } = constants.errno;
const rawError = /\b(EIO|ENOSPC)\b|\/proc\/self/;
const old = 'one '.repeat(20);
const names = ['a.txt', 'b.txt', 'c.txt'];

const depth = 8 * Number(process.env['GENERATED_TIMES'] ?? 1);
const edits = [{ oldText: 'one', newText: 'seventeen', count: 0 }];
const changed = old.replaceAll('one', 'seventeen');

/** Three files, one of which has another name, and the built server with faults. */
async function openWorkspace(context: TestContext) {
  const workspace = new Workspace();
  const server = await startFaulty(workspace);
  if (!server) {
    workspace[Symbol.dispose]();
    return context.skip(noCompiler);
  }
  return {
    server,
    reset: () => {
      for (const name of readdirSync(workspace.root)) rmSync(join(workspace.root, name), { recursive: true });
      for (const name of names) workspace.put(name, old);
      linkSync(join(workspace.root, 'b.txt'), join(workspace.root, 'other'));
    },
    contents: () => names.map((name) => workspace.read(name)),
    /** Whether an entry is a directory, a temporary file, or has one of these contents. */
    isWhole: (name: string, whole: ReadonlySet<string>) => {
      const path = join(workspace.root, name);
      return name.endsWith('.tmp') || statSync(path).isDirectory() || whole.has(readFileSync(path, 'utf8'));
    },
    entries: () => readdirSync(workspace.root).sort(),
    inode: (name: string) => statSync(join(workspace.root, name)).ino,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      workspace[Symbol.dispose]();
    },
  };
}

test('whatever call fails, an edit of several files changes all or none, and says which', async (context) => {
  await using opened = await openWorkspace(context);
  const { server, reset, contents, entries, inode } = opened;
  const count = { occurred: 0, refused: 0 };
  await everyFault([EIO, ENOSPC], depth, async (fault) => {
    reset();
    const { said, occurred } = await server.say(fault, 'edit_file', { paths: names, edits });
    const what = `${JSON.stringify(fault)}: ${said}`;
    const isRefused = said.startsWith('ERROR');
    // Where nothing can be renamed any more, a renamed file stays.
    const [, stays = ''] =
      /^ERROR\nThese files could not be restored: (.*?); all others were\. /.exec(said) ?? [];
    const isLastingRename = fault.call === 'rename' && fault.isLasting;
    const isNew = (name: string) => !isRefused || (isLastingRename && stays.includes(name));
    expect(contents(), what).toEqual(names.map((name) => (isNew(name) ? changed : old)));
    expect(said, what).not.toMatch(rawError);
    if (isRefused && stays === '') {
      expect(said, what).toMatch(/^ERROR\nNothing was changed\. /);
      expect(inode('b.txt'), what).toBe(inode('other'));
      count.refused++;
    }
    // A name that cannot be deleted stays.
    if (fault.call !== 'unlink') expect(entries(), what).toEqual([...names, 'other']);
    count.occurred += Number(occurred);
    return occurred;
  });
  expect(count.occurred).toBeGreaterThan(50);
  expect(count.refused).toBeGreaterThan(30);
});

test('an edit of several files restores one that is deleted when it has just been replaced', async (context) => {
  await using opened = await openWorkspace(context);
  const { server, reset, contents, entries } = opened;
  for (const after of names.keys()) {
    reset();
    const fault = { call: 'rename', after, error: 0, isLasting: false } as const;
    const { said, occurred } = await server.say(fault, 'edit_file', { paths: names, edits });
    expect(occurred).toBe(true);
    expect(said).toBe(`ERROR\nNothing was changed. No such file: "${names[after]}"`);
    expect(contents()).toEqual([old, old, old]);
    expect(entries()).toEqual([...names, 'other']);
  }
});

const changes: [tool: string, args: Record<string, unknown>][] = [
  ['edit_file', { glob: '*.txt', edits }],
  ['edit_file', { path: 'b.txt', edits }],
  ['write_file', { path: 'b.txt', content: changed }],
  ['write_file', { path: 'new', content: changed }],
  ['write_file', { path: 'x/y', content: changed, parents: true }],
  ['write_file', { path: 'b.txt', content: 'more', append: true }],
  ['write_file', { path: 'b.txt', executable: true }],
  ['copy_file', { source: 'a.txt', destination: 'd.txt' }],
  ['copy_file', { source: '.', glob: '*.txt', destination: 'd', parents: true }],
  ['copy_file', { sources: names, destination: 'd', join: true }],
  ['move_file', { source: 'a.txt', destination: 'd.txt' }],
  ['create_directory', { path: 'x/y' }],
  ['read_text_file', { path: 'a.txt', hash: true }],
  ['read_text_file', { path: 'a.txt', offset: 1 }],
  ['read_multiple_files', { glob: '*.txt' }],
  ['read_media_file', { path: 'a.txt' }],
  ['search_text', { text: 'one' }],
  ['search_files', { pattern: '*', duplicates: true }],
  ['list_directory', { path: '.' }],
  ['list_directory_with_sizes', { path: '.', recursive: true }],
  ['directory_tree', { path: '.' }],
  ['get_file_info', { path: 'a.txt', hash: true }],
  ['get_file_info', { path: 'a.txt', compareWith: 'b.txt' }],
  ['delete_file', { glob: '*.txt' }],
];

test('whatever call fails in whatever tool, no file is torn and the answer is in words', async (context) => {
  await using opened = await openWorkspace(context);
  const { server, reset, entries, isWhole } = opened;
  const whole = new Set([old, changed, `${old}more`, old.repeat(3)]);
  for (const [tool, args] of changes) {
    await everyFault([EIO], depth / 2, async (fault) => {
      reset();
      const { said, occurred } = await server.say(fault, tool, args);
      const what = `${tool} ${JSON.stringify(args)} with ${JSON.stringify(fault)}: ${said}`;
      expect(said, what).not.toMatch(rawError);
      expect(
        entries().filter((name) => !isWhole(name, whole)),
        what,
      ).toEqual([]);
      return occurred;
    });
  }
});
