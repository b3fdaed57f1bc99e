import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const run = promisify(execFile);
// In the package, so that the example finds it by name.
const directory = mkdtempSync(join(import.meta.dirname, 'example-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');

test('the example of the README compiles, and prints what it says', async () => {
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  writeFileSync(join(directory, 'example.ts'), example);
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', include: ['.'], exclude: [] }),
  );
  const repository = join(directory, 'downloaded');
  const mark = join(directory, 'run-by-git');
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', repository, ...args]);
  mkdirSync(join(repository, 'notes'), { recursive: true });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.com');
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(repository, 'notes', name), `${name}\n`);
  git('config', 'core.fsmonitor', `touch '${mark}'; false`);
  writeFileSync(join(repository, '.git/hooks/pre-commit'), `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });

  await run(join(import.meta.dirname, '../../../node_modules/.bin/tsc'), ['--project', directory]);
  const { stdout } = await run(process.execPath, ['--conditions=@mcp/source', 'example.ts'], {
    cwd: directory,
  });
  const [state = '', last, refusal = ''] = stdout.trimEnd().split('\n');
  expect(last).toBe('Ada: Add notes');
  for (const line of [state, refusal]) expect(readme).toContain(`\`${line}\``);
  expect(existsSync(mark)).toBe(false);
});
