import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { repository } from './server-program.ts';

interface Configuration {
  readonly mcpServers: {
    readonly [name: string]: { readonly command: string; readonly args: readonly string[] };
  };
}

test.each(['filesystem', 'git', 'sqlite', 'weather', 'run'])(
  'the README of %s has a configuration that starts the server from a clone',
  async (name) => {
    const readme = readFileSync(join(repository, 'servers', name, 'README.md'), 'utf8');
    const [, json] =
      /Until the package is published, `npx` does not find it\.[^`]*`pnpm install`[^`]*```json\n(.*?)```/s.exec(
        readme,
      ) ?? [];
    const { command, args } = (JSON.parse(json!) as Configuration).mcpServers[name]!;
    expect(command).toBe('node');
    const program = args[0]!.replace('/path/to/clone', repository);
    const { stdout, code } = await runProgram(program, ['--version']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\S*\d+\.\d+\.\d+/)]);
  },
);

test('until the first release, and no longer, documents say that npx does not find the packages', () => {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: repository, encoding: 'utf8' }).stdout;
  const [, words = '', files = ''] = /`git grep -lE '([^']*)' ([^`]*)`/.exec(
    readFileSync(join(repository, 'RELEASING.md'), 'utf8'),
  )!;
  const found = git('grep', '-lE', words, '--', ...files.replaceAll("'", '').split(' '));
  const { version } = JSON.parse(readFileSync(join(repository, 'packages/host/package.json'), 'utf8')) as {
    version: string;
  };
  expect(found === '' ? 'released' : 'before').toBe(version === '0.0.0' ? 'before' : 'released');
});
