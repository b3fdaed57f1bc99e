import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('stores insights beside the database, shared with later servers', async () => {
  using workspace = new Workspace();
  {
    await using client = await workspace.connect();
    expect(await workspace.say(client, 'append_insight', { insight: 'Ada buys\nmost' })).toBe(
      'Insight added to memo://insights',
    );
  }
  await using first = await workspace.connect();
  await using second = await workspace.connect();
  await Promise.all([first, second].map((client) => client.callTool('append_insight', { insight: 'Again' })));
  const [contents] = (await first.readResource('memo://insights')).contents;
  const lines = (contents as { text: string }).text.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { insight: string }).insight)).toEqual([
    'Ada buys\nmost',
    'Again',
    'Again',
  ]);
  expect(await workspace.say(first, 'append_insight', { insight: ' ' })).toContain('insight is empty');
});
