import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

test.each([
  { tool: 'git_status', command: 'status' },
  { tool: 'git_diff_unstaged', command: 'diff' },
])('$tool starts one git process where the repository was inspected before', async ({ tool, command }) => {
  using workspace = new Workspace({ 'a.txt': 'a\n', 'b/c.txt': 'c\n' });
  workspace.put('a.txt', 'changed\n');
  const list = join(workspace.base, 'processes');
  const started = () => readFileSync(list, 'utf8').split('\n').slice(0, -1);
  await using client = await workspace.connect({
    environment: { PATH: workspace.gitThat(`echo "$1" >> '${list}'`) },
  });
  await workspace.say(client, tool);
  // The version, the layout twice, the configuration, the submodules, and the command.
  await expect.poll(started).toHaveLength(6);
  for (let repeat = 0; repeat < 3; repeat++) expect(await workspace.say(client, tool)).toContain('a.txt');
  expect(started().slice(6)).toEqual([command, command, command]);
});
