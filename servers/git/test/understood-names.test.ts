import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

/** Two repositories side by side; the second is `other`. */
async function pair() {
  const workspace = await Workspace.create({ 'src/a.ts': 'const a = 1;\n' });
  const other = join(workspace.allowed, 'other');
  mkdirSync(join(other, 'src'), { recursive: true });
  writeFileSync(join(other, 'src/b.ts'), 'const b = 2;\n');
  await workspace.gitAt(other).init().add('--all').commit('other first');
  return { workspace, other };
}

test.each([
  ['git_blame', (path: string) => ({ path }), /1 range, 1 line in all/],
  ['git_log', (path: string) => ({ path }), /other first\n1 commit$/],
  [
    'git_grep',
    (path: string) => ({ pattern: 'const', paths: [path] }),
    /^src\/b\.ts:1\tconst b = 2;\n1 match$/,
  ],
  ['git_read_file', (path: string) => ({ path }), /^const b = 2;\n$/],
  ['git_diff_unstaged', (path: string) => ({ paths: [path] }), /^No unstaged changes$/],
  ['git_diff', (path: string) => ({ target: 'HEAD', paths: [path] }), /^No difference$/],
  ['git_add', (path: string) => ({ files: [path] }), /^Nothing to stage/],
  ['git_restore', (path: string) => ({ paths: [path] }), /^Nothing to restore/],
] as const)('%s takes a path as a server for the directory above prints it', async (tool, args, answer) => {
  const { workspace, other } = await pair();
  using _ = workspace;
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  for (const path of ['other/src/b.ts', join(other, 'src/b.ts')]) {
    expect(await workspace.callText(client, tool, args(path))).toMatch(answer);
    expect(await workspace.callText(client, tool, { ...args(path), repo_path: 'other' })).toMatch(answer);
  }
  expect(await workspace.callText(client, tool, args('src/b.ts'))).toMatch(
    /^ERROR Several repositories are allowed: "\/allowed\/other", "\/allowed\/repo"; pass one of them/,
  );
});

test('a path that starts with the name of the repository is its own directory where there is one', async () => {
  using workspace = await Workspace.create({ 'repo/a.txt': 'inner\n', 'a.txt': 'outer\n' });
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_read_file', { path: 'repo/a.txt' })).toBe('inner\n');
});

test.each([
  ['git_log', { limit: 1, filePath: 'src/a.ts' }, /first\n1 commit$/],
  ['git_log', { n: 1, since: '2020-01-01' }, /first\n1 commit$/],
  ['git_grep', { query: 'const', file_path: 'src/a.ts' }, /^src\/a\.ts:1\t/],
  ['git_grep', { pattern: 'CONST', '-i': true }, /^src\/a\.ts:1\t/],
  ['git_show', { commit: 'HEAD' }, /^commit /],
  ['git_show', { ref: 'HEAD' }, /^commit /],
  ['git_stash', { action: 'push' }, /^Nothing to save/],
  ['git_integrate', { action: 'cherry_pick', commit: 'HEAD' }, /^(Nothing|Stopped)/],
  ['git_blame', { file_path: 'src/a.ts', startLine: 1 }, /1 range/],
  ['git_checkout', { branch: 'main' }, /^On branch "main"/],
  ['git_add', { paths: 'src/a.ts' }, /^Nothing to stage/],
  ['git_diff', { revision: 'HEAD', paths: 'src' }, /^No difference$/],
  ['git_bisect', { action: 'start', good_commit: 'HEAD', badCommit: 'HEAD' }, /^ERROR The same commit/],
  ['git_range_diff', { before: 'HEAD', onto: 'HEAD' }, /^ERROR Invalid base: it is the same/],
  ['git_shortlog', { file: 'src/a.ts', since: '2020-01-01' }, /^Ada /],
  ['git_create_branch', { name: 'topic', startPoint: 'HEAD' }, /^Created branch "topic"/],
] as const)('%s understands the names of %j', async (tool, args, answer) => {
  using workspace = await Workspace.create({ 'src/a.ts': 'const a = 1;\n' });
  await using client = await workspace.connect({ history: true });
  expect(await workspace.callText(client, tool, { ...args })).toMatch(answer);
});

test('a name is refused where it has two readings', async () => {
  using workspace = await Workspace.create({ 'src/a.ts': 'const a = 1;\n' });
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_log', { limit: 1, max_count: 2 })).toMatch(
    /Unknown argument "limit"/,
  );
  expect(await workspace.callText(client, 'git_blame', { paths: ['src/a.ts', 'b'] })).toMatch(/^ERROR /);
});
