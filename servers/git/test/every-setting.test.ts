import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prepared } from './tool-walk.ts';

/** How many times as many settings are tried: 1 in the gate; 1,000 tries every setting that git knows. */
const times = Number(process.env['GENERATED_TIMES'] ?? 1);
const settingsInARun = 2;

/** Every setting that git names, with `x` in place of a placeholder. */
const settings = execFileSync('git', ['help', '--config'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((key) => /^[a-z][\w-]*\./i.test(key))
  .map((key) => key.replaceAll(/<[^>]*>|\*/g, 'x'));

const calls: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ['git_status', {}],
  ['git_diff', { target: 'HEAD~1' }],
  ['git_add', { files: ['a.txt'] }],
  ['git_commit', { message: 'm', allow_empty: true }],
  ['git_checkout', { branch_name: 'other' }],
  ['git_integrate', { action: 'merge', revision: 'main' }],
  ['git_integrate', { action: 'abort' }],
  ['git_checkout', { branch_name: 'main' }],
];

test('no tool runs the value of any setting that git knows', async () => {
  using workspace = await prepared();
  await using client = await workspace.connect();
  const program = workspace.program();
  const config = workspace.read('.git/config');
  workspace.put('.gitattributes', '* filter=x diff=x merge=x\n');
  expect(settings.length).toBeGreaterThan(400);
  const count = Math.min(settingsInARun * times, settings.length);
  const chosen = count === settings.length ? settings : fc.sample(fc.constantFrom(...settings), count);
  for (const [turn, key] of chosen.entries()) {
    // Git refuses some names with a placeholder.
    if (await workspace.git.raw(['config', key, program]).catch(() => 'refused')) continue;
    workspace.put('a.txt', `${turn}\n`);
    for (const [tool, args] of calls) {
      await client.callTool(tool, args);
      expect(workspace.executed, `${key}: ${tool}`).toEqual([]);
    }
    workspace.put('.git/config', config);
  }
});
