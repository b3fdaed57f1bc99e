import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_tag creates a lightweight or an annotated tag, and deletes one', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const first = await workspace.git.revparse('HEAD');
  await workspace.commit('second');
  await using client = await workspace.connect();
  const tag = (args: object) => workspace.callText(client, 'git_tag', { ...args });
  expect(await tag({ action: 'create', name: 'v1', revision: 'HEAD~1' })).toBe(
    `Created tag "v1" at ${first.slice(0, 10)}`,
  );
  expect(await workspace.git.revparse('v1')).toBe(first);
  expect(await tag({ action: 'create', name: 'v2', message: '# Two' })).toMatch(
    /^Created annotated tag "v2" at [0-9a-f]{10}$/,
  );
  expect(await workspace.output(['cat-file', 'tag', 'v2'])).toMatch(
    /\ntagger Ada <ada@example\.com> .*\n\n# Two$/,
  );
  expect(await tag({ action: 'delete', name: 'v1' })).toMatch(
    /^Deleted tag "v1"; creating it at revision [0-9a-f]{10} restores it$/,
  );
  expect(await workspace.output(['tag'])).toBe('v2');
});

test('git_tag refuses an existing tag, an unknown revision and a missing tag', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.addTag('v1');
  await using client = await workspace.connect();
  const before = await workspace.state();
  const tag = (args: object) => workspace.callText(client, 'git_tag', { ...args });
  expect(await tag({ action: 'create', name: 'v1' })).toBe('ERROR The tag already exists: "v1"');
  expect(await tag({ action: 'create', name: 'v2', revision: 'nowhere' })).toBe(
    'ERROR No such revision: "nowhere"',
  );
  expect(await tag({ action: 'delete', name: 'missing' })).toBe('ERROR No such tag: "missing"');
  expect(await workspace.state()).toBe(before);
});
