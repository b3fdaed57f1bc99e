import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { clear, prepared, walk, walkOutside } from './tool-walk.ts';
import { expectNoneRun, withHalves, withTraps } from './trapped-repository.ts';
import { traps } from './traps.ts';
import { Workspace } from './workspace.ts';

// Each calls all tools.
vi.setConfig({ testTimeout: 120_000 });

test.each(withHalves((repository) => repository !== 'included filters'))(
  '$ids: no tool runs a program through $programs: $first',
  expectNoneRun,
);

test('every argument of every tool is driven by the calls that must run no program', async () => {
  using workspace = await Workspace.create();
  await using client = await workspace.connect({ allowRemote: true, history: true });
  const driven = new Set(
    [...walk, ...walkOutside].flatMap(([tool, args]) => Object.keys(args).map((name) => `${tool} ${name}`)),
  );
  const published = (await client.listTools()).flatMap(({ name, inputSchema }) =>
    Object.keys((inputSchema as { properties?: object }).properties ?? {})
      .filter((argument) => argument !== 'repo_path' && argument !== 'cursor')
      .map((argument) => `${name} ${argument}`),
  );
  expect(published.filter((argument) => !driven.has(argument))).toEqual([]);
});

test.each(traps)('$id: plain git runs a program through $what', async (trap) => {
  using workspace = await withTraps(trap);
  const { trigger } = trap;
  if (trigger[0] === 'rebase' || trigger[0] === 'merge') await workspace.git.checkout(['-f', 'main']);
  // It may fail after it has run the program.
  await workspace.git.raw([...trigger]).catch(() => {});
  expect(workspace.executed).not.toEqual([]);
});

test('a repository with a filter whose name is not UTF-8 is refused, because it cannot be overridden', async () => {
  using workspace = await prepared();
  const program = workspace.program();
  writeFileSync(
    join(workspace.root, '.git/config'),
    Buffer.concat([
      Buffer.from(workspace.read('.git/config')),
      Buffer.from('[filter "'),
      Buffer.from([0xff]),
      Buffer.from(`"]\n\tclean = ${program}\n`),
    ]),
  );
  workspace.put(
    '.gitattributes',
    Buffer.concat([Buffer.from('* filter='), Buffer.from([0xff]), Buffer.from('\n')]),
  );
  workspace.put('a.txt', 'changed\n');
  clear(workspace);
  await using _client = (await workspace.connect().catch((error: Error) => {
    expect(error.message).toContain('a name that is not UTF-8');
    return undefined;
  })) as AsyncDisposable;
  expect(workspace.executed).toEqual([]);
});

test('a filter configured for a linked work tree alone does not run when the work tree is removed', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n', '.gitattributes': '* filter=evil\n' });
  const path = join(workspace.allowed, 'tree');
  await workspace.git.raw(['worktree', 'add', '-q', path, '-b', 'linked']);
  await workspace.git.addConfig('extensions.worktreeConfig', 'true');
  await workspace.gitAt(path).addConfig('filter.evil.clean', workspace.program(), false, 'worktree');
  // As long as it was, so that git reads it to know whether it has changed.
  writeFileSync(join(path, 'a.txt'), 'b\n');
  await using client = await workspace.connect({ directories: [workspace.root, workspace.allowed] });
  const remove = (args: object) =>
    workspace.callText(client, 'git_worktree', {
      repo_path: workspace.root,
      action: 'remove',
      path,
      ...args,
    });
  expect(await remove({})).toBe(
    'ERROR The work tree has changes that would be lost; force removes it anyway',
  );
  expect(await remove({ force: true })).toMatch(/\n\/allowed\/repo \w+ main\n1 work tree$/);
  expect(existsSync(path)).toBe(false);
  expect(workspace.executed).toEqual([]);
});

test('a filter that is configured while the server runs does not run', async () => {
  using workspace = await prepared();
  const program = workspace.program();
  workspace.put('.gitattributes', '* filter=late\n');
  await using client = await workspace.connect({ history: true });
  expect(await workspace.callText(client, 'git_status')).toContain('On main');
  await workspace.git.addConfig('filter.late.clean', program);
  workspace.put('a.txt', 'changed\n');
  clear(workspace);
  // The first that reads a file has to notice it.
  for (const [tool, args] of walk.slice(0, 35)) await client.callTool(tool, args);
  expect(workspace.executed).toEqual([]);
});

test('a diff ignores the funcname patterns of the repository, which could use all memory', async () => {
  using workspace = await Workspace.create({
    '.gitattributes': '* diff=x\n',
    'a.txt': `top\n = mark\n${' \n'.repeat(9)}end\n`,
  });
  await workspace.git.addConfig('diff.x.xfuncname', '^ = mark');
  workspace.put('a.txt', `top\n = mark\n${' \n'.repeat(9)}END\n`);
  expect(await workspace.output(['diff'])).toMatch(/@@  = mark$/m);
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_diff_unstaged')).toMatch(/@@ top$/m);
});
