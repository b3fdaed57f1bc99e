import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { revisions } from '@mcp/protocol/client';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { repository, serverProgram } from './server-program.ts';

const mcp = join(repository, 'packages/host/dist/main.cjs');

/** What each server is started with; `directory` is empty. */
const argumentsOf: Readonly<Record<string, (directory: string) => readonly string[]>> = {
  filesystem: (directory) => [directory],
  git: (directory) => {
    const git = (...args: string[]) => execFileSync('git', ['-C', directory, ...args]);
    git('init', '--quiet');
    git(
      '-c',
      'user.name=Ada',
      '-c',
      'user.email=ada@example.com',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'Begin',
    );
    return ['--repository', directory];
  },
  sqlite: () => [],
  weather: (directory) => ['--demo', '--data', join(directory, 'weather')],
};

test.each(Object.entries(argumentsOf))('the calls of %s pass at every revision', async (name, args) => {
  using directory = new TemporaryDirectory(`calls-${name}`);
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(directory.base, 'home') };
  const command = ['--', process.execPath, serverProgram(name), ...args(directory.root)];
  const words = [
    'test',
    `${repository}servers/${name}/calls.yaml`,
    '--revision',
    'all',
    '--json',
    ...command,
  ];
  const { stdout, stderr, code } = await runProgram(mcp, words, { env });
  const suites = JSON.parse(stdout) as readonly { revision: string; calls: readonly { status: string }[] }[];
  const failed = suites.flatMap(({ calls }) => calls.filter(({ status }) => status === 'failed'));
  expect({ stderr, code, failed }).toEqual({ stderr: '', code: 0, failed: [] });
  expect(suites.map(({ revision }) => revision)).toEqual(revisions);
  for (const { calls } of suites) expect(calls.length).toBeGreaterThan(7);
});
