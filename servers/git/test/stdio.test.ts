import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from './program.ts';
import { Workspace } from './workspace.ts';

test('answers over pipes, puts nothing else on stdout, and ends well with its input', async () => {
  using workspace = new Workspace({ 'a.txt': 'hello\n' });
  const request = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const { stdout, stderr, code } = await run(['--repository', workspace.root], {
    env: workspace.environment,
    input:
      request(1, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1.0.0' },
      }) +
      '{"jsonrpc":"2.0","method":"notifications/initialized"}\n' +
      request(2, 'tools/call', { name: 'git_read_file', arguments: { path: 'a.txt' } }),
  });
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.find(({ id }) => id === 1).result.protocolVersion).toBe('2025-11-25');
  expect(lines.find(({ id }) => id === 2).result).toEqual({ content: [{ type: 'text', text: 'hello\n' }] });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});

test('explains itself', async () => {
  const help = await run(['--help']);
  expect(help).toMatchObject({ stderr: '', code: 0 });
  for (const option of ['--repository', '--read-only', '--trust', '--allow-remote']) {
    expect(help.stdout).toContain(option);
  }
  expect(await run(['--version'])).toEqual({
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
    code: 0,
  });
});

test('says on stderr what is wrong with its arguments or its git, and exits with 2', async () => {
  using workspace = new Workspace({ 'a.txt': '' });
  const refused = async (args: readonly string[], env = workspace.environment) => {
    const { stdout, stderr, code } = await run(args, { env });
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    return stderr
      .split('\n')[0]
      ?.replace(/^[\w-]+: /, '')
      .replaceAll(workspace.base, '');
  };
  expect(await refused([])).toBe('Name at least one repository, with --repository <path>');
  expect(await refused(['--repository', `${workspace.root}/missing`])).toBe(
    'No such directory: "/bound/repo/missing"',
  );
  expect(await refused([`${workspace.root}/a.txt`])).toBe('Not a directory: "/bound/repo/a.txt"');
  expect(await refused(['--wrong', workspace.root])).toContain("Unknown option '--wrong'");

  const bin = join(workspace.base, 'bin');
  mkdirSync(bin);
  expect(await refused([workspace.root], { ...workspace.environment, PATH: bin })).toBe(
    'Git is not installed, or not on the PATH; install git 2.36 or newer',
  );
  writeFileSync(join(bin, 'git'), '#!/bin/sh\necho git version 2.35.8\n');
  chmodSync(join(bin, 'git'), 0o755);
  expect(await refused([workspace.root], { ...workspace.environment, PATH: bin })).toBe(
    'Git 2.36 or newer is needed, and here is "git version 2.35.8"',
  );
});

test('warns of a directory that is no repository, and serves those inside', async () => {
  using workspace = new Workspace({ 'a.txt': '' });
  const { stderr, code } = await run([workspace.bound], { env: workspace.environment });
  expect(stderr).toContain('No git repository yet, but those inside may be used');
  expect(code).toBe(0);
});
