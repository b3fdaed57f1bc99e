import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Workspace } from './workspace.ts';

// They clone repositories.
vi.setConfig({ testTimeout: 120_000 });

const allowFile = ['-c', 'protocol.file.allow=always'];

/** A clone with a submodule that is not cloned, beside the repository of the submodule; both are allowed. */
async function cloned(url = '../inner'): Promise<{ workspace: Workspace; inner: string; top: string }> {
  const workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const inner = join(workspace.allowed, 'inner');
  mkdirSync(inner);
  await workspace.gitAt(inner).init();
  writeFileSync(join(inner, 'i.txt'), 'one\n');
  await workspace.gitAt(inner).add('--all').commit('one');
  await workspace.git.raw([...allowFile, 'submodule', 'add', '-q', inner, 'lib/sub']);
  await workspace.git.raw(['config', '-f', '.gitmodules', 'submodule.lib/sub.url', url]);
  await workspace.commit('a submodule');
  await workspace.gitAt(workspace.allowed).clone(workspace.root, 'clone');
  return { workspace, inner, top: join(workspace.allowed, 'clone') };
}

const connect = (workspace: Workspace, options: object = {}) =>
  workspace.connect({ directories: [workspace.allowed], history: true, allowRemote: true, ...options });

test('git_submodule lists, clones and updates submodules, and git knows them then', async () => {
  const { workspace, inner, top } = await cloned();
  using _ = workspace;
  await using client = await connect(workspace);
  const call = (args: object) => workspace.callText(client, 'git_submodule', { repo_path: 'clone', ...args });
  const hash = await workspace.gitAt(inner).revparse(['--short=10', 'HEAD']);
  expect(await call({})).toBe(`lib/sub ${hash} not cloned [../inner]\n1 submodule`);
  expect(await call({ action: 'update' })).toBe(`lib/sub cloned, at ${hash}\n1 submodule`);
  expect(await workspace.output(['submodule', 'status'], { directory: top })).toMatch(
    /^ ?[0-9a-f]{40} lib\/sub/,
  );
  expect(await call({ action: 'update' })).toBe(`lib/sub unchanged, at ${hash}\n1 submodule`);
  writeFileSync(join(inner, 'i.txt'), 'two\n');
  await workspace.gitAt(inner).add('--all').commit('two');
  const next = await workspace.gitAt(inner).revparse('HEAD');
  await workspace.gitAt(top).raw(['update-index', '--cacheinfo', `160000,${next},lib/sub`]);
  expect(await call({})).toBe(`lib/sub ${next.slice(0, 10)} is at ${hash} [../inner]\n1 submodule`);
  writeFileSync(join(top, 'lib/sub/i.txt'), 'mine\n');
  expect(await call({ action: 'update', path: 'lib/sub' })).toMatch(
    /^ERROR Local changes would be overwritten/,
  );
  expect(await call({})).toContain(`is at ${hash}, 1 changed file [`);
  await workspace.gitAt(join(top, 'lib/sub')).checkout(['--', 'i.txt']);
  expect(await call({ action: 'update', path: 'lib/sub' })).toBe(
    `lib/sub moved, at ${next.slice(0, 10)}, was at ${hash}\n1 submodule`,
  );
  expect(await workspace.output(['status', '--porcelain'], { directory: top })).toBe('M  lib/sub');
  expect(await call({ path: 'a.txt' })).toMatch(/^ERROR Not a submodule: "a.txt"/);
  expect(await workspace.callText(client, 'git_submodule', { repo_path: 'inner' })).toBe('No submodules');
});

test('git_submodule connects to no remote without --allow-remote', async () => {
  const { workspace, top } = await cloned();
  using _ = workspace;
  await using client = await connect(workspace, { allowRemote: false });
  expect(await workspace.callText(client, 'git_submodule', { repo_path: 'clone', action: 'update' })).toBe(
    'ERROR Refused: "lib/sub" is not cloned, and the server connects to remotes only with --allow-remote',
  );
  expect(existsSync(join(top, 'lib/sub/.git'))).toBe(false);
});

test.each([
  '/outside/foreign',
  '../../outside/foreign',
  'file:///etc',
  'ext::sh -c x',
  '--upload-pack=x',
  '-x',
])('git_submodule clones nothing from %s', async (url) => {
  const { workspace, top } = await cloned(url.startsWith('/outside') ? '/etc' : url);
  using _ = workspace;
  await workspace.foreign();
  await using client = await connect(workspace);
  const answer = await workspace.callText(client, 'git_submodule', { repo_path: 'clone', action: 'update' });
  expect(answer).toMatch(/^ERROR (Outside the allowed|Invalid URL|No such directory|Not a git)/);
  expect(answer).not.toContain('SECRET');
  expect(existsSync(join(top, 'lib/sub/.git'))).toBe(false);
});

test('git_submodule runs no hook and no filter of a submodule, and follows no symlink', async () => {
  const { workspace, inner, top } = await cloned();
  using _ = workspace;
  await using client = await connect(workspace);
  const call = (args: object) => workspace.callText(client, 'git_submodule', { repo_path: 'clone', ...args });
  await call({ action: 'update' });
  const program = workspace.program();
  const sub = join(top, 'lib/sub');
  await workspace.gitAt(sub).addConfig('core.fsmonitor', program);
  await workspace.gitAt(sub).addConfig('filter.x.smudge', program);
  await workspace.gitAt(sub).addConfig('remote.origin.uploadpack', program);
  mkdirSync(join(sub, '.git/info'), { recursive: true });
  writeFileSync(join(sub, '.git/info/attributes'), '* filter=x\n');
  mkdirSync(join(sub, '.git/hooks'), { recursive: true });
  for (const name of ['post-checkout', 'reference-transaction'])
    writeFileSync(join(sub, '.git/hooks', name), `#!/bin/sh\n${program} </dev/null\n`, { mode: 0o755 });
  writeFileSync(join(inner, 'i.txt'), 'two\n');
  await workspace.gitAt(inner).add('--all').commit('two');
  const next = await workspace.gitAt(inner).revparse('HEAD');
  await workspace.gitAt(top).raw(['update-index', '--cacheinfo', `160000,${next},lib/sub`]);
  const answer = await call({ action: 'update' });
  expect(workspace.executed).toEqual([]);
  expect(answer).toMatch(/^lib\/sub moved/);
  renameSync(join(top, 'lib'), join(top, 'elsewhere'));
  symlinkSync(join(top, 'elsewhere'), join(top, 'lib'));
  expect(await call({ action: 'update' })).toMatch(
    /^ERROR The path of the submodule leads through a symlink/,
  );
});
