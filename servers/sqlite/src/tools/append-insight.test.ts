import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

const program = fileURLToPath(new URL('../../dist/main.cjs', import.meta.url));

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

test('an insight that does not fit on the disk leaves no partial line', async () => {
  using workspace = new Workspace();
  const limited = `trap '' XFSZ; ulimit -f 16; exec "$0" "$@"`;
  const server = spawnServer({
    command: '/bin/sh',
    args: ['-c', limited, process.execPath, program, workspace.path],
    env: { NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  await using client = await Client.connect(server.channel);
  const insight = 'x'.repeat(5_000);
  expect(await workspace.say(client, 'append_insight', { insight })).toContain('Insight added');
  expect(await workspace.say(client, 'append_insight', { insight })).toMatch(/^ERROR /);
  expect(await workspace.say(client, 'append_insight', { insight: 'short' })).toContain('Insight added');
  const lines = readFileSync(`${workspace.path}.insights.jsonl`, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { insight: string }).insight)).toEqual([insight, 'short']);
});

test('a partial line of another process does not damage the next insight', async () => {
  using workspace = new Workspace();
  writeFileSync(`${workspace.path}.insights.jsonl`, '{"insight":"whole","at":"x"}\n{"insight":"torn');
  await using client = await workspace.connect();
  await client.callTool('append_insight', { insight: 'next' });
  const [contents] = (await client.readResource('memo://insights')).contents;
  const lines = (contents as { text: string }).text.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { insight: string }).insight)).toEqual(['whole', 'next']);
});
