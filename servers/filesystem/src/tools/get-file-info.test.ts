import { chmodSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('get_file_info returns kind, size, times and permissions', async () => {
  using workspace = new Workspace();
  const path = workspace.put('a.txt', 'hello');
  chmodSync(path, 0o640);
  utimesSync(path, new Date('2020-01-02T03:04:05Z'), new Date('2021-01-02T03:04:05Z'));
  await using client = await workspace.connect();
  const [text] = await workspace.say(client, 'get_file_info', { path: 'a.txt' });
  expect(text?.split('\n')).toEqual([
    'path: /root/a.txt',
    'kind: file',
    'size: 5',
    'permissions: 640',
    'links: 1',
    expect.stringMatching(/^created: \d{4}-/),
    'modified: 2021-01-02T03:04:05.000Z',
    'accessed: 2020-01-02T03:04:05.000Z',
  ]);
});
