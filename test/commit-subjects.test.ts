import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repository } from './server-program.ts';

// Whether the gate checks the commits of a change alone: the main that it starts from has an older form.

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'subjects-'));
  git('.', 'init', '--quiet', '--initial-branch=main', 'upstream');
  commit('upstream', 'Some Old Form.');
  commit('upstream', 'another; old one');
  git('.', 'clone', '--quiet', 'upstream', 'clone');
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('commits that the main of the remote has are not checked', () => {
  expect(check('clone')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^0 checked since /) });
});

test('commits of the change are checked, and a title of a pull request', () => {
  commit('clone', 'fix(git): refuse a path outside');
  expect(check('clone')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^1 checked since /) });
  expect(check('clone', { PULL_REQUEST_TITLE: 'Fix it.' }).stderr).toMatch(/title Fix it\.\n {4}expected /);
  commit('clone', 'fix(git): Refuse it');
  expect(check('clone')).toMatchObject({ status: 1, stderr: expect.stringContaining('fix(git): Refuse it') });
});

test('commits of a push are checked since the commit before it', () => {
  const before = git('upstream', 'rev-parse', 'HEAD~1');
  const after = check('upstream', { BASE_COMMIT: before });
  expect(after.stderr).toContain('another; old one');
  expect(after.stderr).not.toContain('Some Old Form.');
});

test('in a shallow clone without the base the last commit is checked', () => {
  git(
    '.',
    'clone',
    '--quiet',
    '--depth=1',
    '--single-branch',
    `file://${join(directory, 'upstream')}`,
    'shallow',
  );
  git('shallow', 'remote', 'remove', 'origin');
  commit('shallow', 'docs: name the options');
  expect(check('shallow', { BASE_COMMIT: '0'.repeat(40) })).toMatchObject({
    status: 0,
    stdout: '1 checked of the last commit alone: this clone has no base to compare with\n',
  });
});

function check(clone: string, environment: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, BASE_COMMIT: '', PULL_REQUEST_TITLE: '', ...environment };
  const script = join(repository, 'scripts/check-commits.ts');
  return spawnSync(process.execPath, [script], { cwd: join(directory, clone), env, encoding: 'utf8' });
}

function commit(clone: string, subject: string): void {
  git(
    clone,
    '-c',
    'user.name=Ada',
    '-c',
    'user.email=ada@example.com',
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    subject,
  );
}

function git(clone: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: join(directory, clone), encoding: 'utf8' }).trim();
}
