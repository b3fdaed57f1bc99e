import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TemporaryDirectory } from '../../packages/test-kit/src/temporary-directory.ts';
import { buildEarlier } from '../earlier-versions.ts';
import { withRelease } from '../site-versions.ts';

test('a release keeps a folder for the last version of each line that it may break', () => {
  let list = [{ version: '0.0.0', folder: '' }] as ReturnType<typeof withRelease>;
  for (const each of ['0.1.0', '0.1.1', '0.2.0', '1.0.0', '1.4.2', '10.0.0']) list = withRelease(list, each);
  expect(list).toEqual([
    { version: '10.0.0', folder: '' },
    { version: '1.4.2', folder: 'v1/' },
    { version: '0.2.0', folder: 'v0.2/' },
    { version: '0.1.1', folder: 'v0.1/' },
  ]);
});

test('an earlier version is built from its tag, below its folder, with the list of now', () => {
  using directory = new TemporaryDirectory('site-versions');
  const [origin, clone, dist] = ['origin', 'clone', 'dist'].map((each) => join(directory.base, each)) as [
    string,
    string,
    string,
  ];
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd });
  const write = (path: string, text: string) => writeFileSync(join(origin, path), text);
  mkdirSync(join(origin, 'docs'), { recursive: true });
  write('package.json', JSON.stringify({ private: true, scripts: { site: 'node site.mjs' } }));
  write('pnpm-lock.yaml', `lockfileVersion: '9.0'\nimporters:\n  .: {}\n`);
  write('docs/versions.json', 'old');
  const site = `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
mkdirSync('docs/.vitepress/dist', { recursive: true });
const list = readFileSync('docs/versions.json', 'utf8');
writeFileSync('docs/.vitepress/dist/index.html', 'VERSION ' + process.env.SITE_BASE + ' ' + list);
`;
  write('site.mjs', site.replace('VERSION', 'one'));
  git(origin, 'init', '--quiet', '--initial-branch=main');
  git(origin, 'add', '.');
  git(origin, 'commit', '--quiet', '--message=One');
  git(origin, 'tag', 'v1.4.2');
  write('site.mjs', site.replace('VERSION', 'two'));
  write('docs/versions.json', 'new');
  git(origin, 'commit', '--quiet', '--all', '--message=Two');
  // As GitHub's actions clone it: without tags.
  git(directory.base, 'clone', '--quiet', '--depth=1', '--no-tags', `file://${origin}`, clone);

  buildEarlier([{ version: '1.4.2', folder: 'v1/' }], { repository: clone, dist, base: '/servers/' });
  expect(readFileSync(join(dist, 'v1/index.html'), 'utf8')).toBe('one /servers/v1/ new');
  expect(git(clone, 'worktree', 'list').toString().trim().split('\n')).toHaveLength(1);
});
