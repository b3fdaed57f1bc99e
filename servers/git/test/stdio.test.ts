import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conversation, explainsItself, responses } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { program, run } from './program.ts';
import { Workspace } from './workspace.ts';

test('the program answers over pipes, writes only messages to stdout, and exits with 0 after its input', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'hello\n' });
  const { stdout, stderr, code } = await run(['--repository', workspace.root], {
    env: workspace.environment,
    input: conversation(['tools/call', { name: 'git_read_file', arguments: { path: 'a.txt' } }]),
  });
  const { get } = responses(stdout);
  expect(get(1).result).toMatchObject({ protocolVersion: '2025-11-25' });
  expect(get(2).result).toEqual({ content: [{ type: 'text', text: 'hello\n' }] });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});

test('--help and --version print to stdout and exit with 0', () =>
  explainsItself(program, ['--repository', '--read-only', '--trust', '--allow-remote']));

test('the program reports an invalid argument or an unusable git on stderr with exit code 2', async () => {
  using workspace = await Workspace.create({ 'a.txt': '' });
  const refused = async (args: readonly string[], env = workspace.environment) => {
    const { stdout, stderr, code } = await run(args, { env });
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    return stderr
      .split('\n')[0]
      ?.replace(/^[\w-]+: /, '')
      .replaceAll(workspace.base, '');
  };
  expect(await refused(['--repository', `${workspace.root}/missing`])).toBe(
    'No such directory: "/allowed/repo/missing"',
  );
  expect(await refused(['-r', `${workspace.root}/missing`])).toBe(
    'No such directory: "/allowed/repo/missing"',
  );
  expect(await refused([`${workspace.root}/a.txt`])).toBe('Not a directory: "/allowed/repo/a.txt"');
  expect(await refused(['--wrong', workspace.root])).toContain('Unknown option: "--wrong"');

  const bin = join(workspace.base, 'bin');
  mkdirSync(bin);
  const env = { ...workspace.environment, PATH: bin };
  const unusable = async (...args: string[]) => {
    const { stderr, code } = await run([workspace.root, ...args], { env, input: conversation() });
    expect(code).toBe(2);
    return stderr;
  };
  expect(await unusable()).toContain('Git is not installed, or not on the PATH; install git 2.36 or newer');
  writeFileSync(join(bin, 'git'), '#!/bin/sh\necho git version 2.35.8\n');
  chmodSync(join(bin, 'git'), 0o755);
  expect(await unusable()).toContain('Unsupported git: "git version 2.35.8"; install git 2.36 or newer');

  expect(await unusable('--http', '0')).toContain('Unsupported git');
});

test('the program serves a directory of repositories without a warning', async () => {
  using workspace = await Workspace.create({ 'a.txt': '' });
  const { stderr, code } = await run([workspace.allowed], {
    env: workspace.environment,
    input: conversation(),
  });
  expect(stderr).toBe('');
  expect(code).toBe(0);
});

test('the program warns of a directory without a repository, and of a .git that is none', async () => {
  using workspace = await Workspace.create({ 'a.txt': '' });
  const empty = join(workspace.base, 'empty');
  mkdirSync(empty);
  const env = workspace.environment;
  const { stderr, code } = await run([empty], { env, input: conversation() });
  expect(stderr.trim()).toBe(
    `Not a git repository, and none is directly inside it; only repositories inside it can be used: "${empty}"`,
  );
  expect(code).toBe(0);
  mkdirSync(join(empty, '.git'));
  expect((await run([empty], { env, input: conversation() })).stderr.trim()).toBe(
    `Not a git repository, although it has a ".git"; only repositories inside it can be used: "${empty}"`,
  );
});
