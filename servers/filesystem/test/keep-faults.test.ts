import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { everyFault, noCompiler } from '@mcp/test-kit';
import { expect, test, vi } from 'vitest';
import { startFaulty } from './faulty-server.ts';
import { Workspace } from './workspace.ts';

// They repeat each operation for each call that may fail.
vi.setConfig({ testTimeout: 300_000 });

const { EIO } = constants.errno;
const depth = 6 * Number(process.env['GENERATED_TIMES'] ?? 1);
const old = 'one '.repeat(20);
const names = ['a.txt', 'b.txt', 'sub/c.txt', 'sub/d.txt'];
const edits = [{ oldText: 'one', newText: 'seventeen', count: 0 }];

const changes: [tool: string, args: Record<string, unknown>][] = [
  ['write_file', { path: 'a.txt', content: 'new' }],
  ['write_file', { path: 'a.txt', content: 'new', append: true }],
  ['edit_file', { glob: '*.txt', edits }],
  ['delete_file', { glob: '*.txt' }],
  ['delete_file', { paths: ['a.txt', 'sub', 'b.txt'], recursive: true }],
];

/** The names and contents of a directory; nothing of temporary files. */
function contentOf(root: string): Record<string, string> {
  const paths = readdirSync(root, { recursive: true }).map(String).sort();
  return Object.fromEntries(
    paths
      .filter((path) => !path.endsWith('.tmp'))
      .map((path) => {
        const stats = lstatSync(join(root, path));
        const mode = (stats.mode & 0o777).toString(8);
        return [path, stats.isFile() ? `${mode} ${readFileSync(join(root, path), 'utf8')}` : mode];
      }),
  );
}

test('whatever call fails, what was changed is restored by the call that the answer names', async (context) => {
  using workspace = new Workspace();
  const keep = join(workspace.base, 'keep');
  const options = { args: ['--keep', keep], directory: workspace.base };
  await using server = await startFaulty(workspace, options);
  if (!server) return context.skip(noCompiler);
  const count = { occurred: 0, refused: 0, undone: 0 };
  for (const [tool, args] of changes)
    await everyFault([EIO], depth, async (fault) => {
      for (const name of readdirSync(workspace.root)) rmSync(join(workspace.root, name), { recursive: true });
      mkdirSync(join(workspace.root, 'sub'));
      for (const name of names) workspace.put(name, old);
      const before = contentOf(workspace.root);
      const { said, occurred } = await server.say(fault, tool, args);
      count.occurred += Number(occurred);
      count.refused += Number(said.startsWith('ERROR'));
      const what = `${tool} ${JSON.stringify(args)} with ${JSON.stringify(fault)}: ${said}`;
      expect(said, what).not.toMatch(/\bEIO\b|\/proc\/self/);
      const [, id] = /^Undo: restore_file ([0-9a-f]{8})$/m.exec(said) ?? [];
      if (id !== undefined) {
        expect(await server.plain('restore_file', { id }), what).not.toMatch(/^ERROR/);
        count.undone++;
      }
      // Without a call that restores it, nothing was changed.
      expect(contentOf(workspace.root), what).toEqual(before);
      return occurred;
    });
  expect(count.occurred).toBeGreaterThan(50);
  expect(count.refused).toBeGreaterThan(30);
  expect(count.undone).toBeGreaterThan(50);
});
