import { chmodSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('get_file_info returns kind, size, times and permissions', async () => {
  using workspace = new Workspace();
  const path = workspace.put('a.txt', 'hello');
  chmodSync(path, 0o640);
  utimesSync(path, new Date('2020-01-02T03:04:05Z'), new Date('2021-01-02T03:04:05Z'));
  await using client = await workspace.connect();
  const { structuredContent } = await client.callTool('get_file_info', { path: 'a.txt' });
  expect(structuredContent).toEqual({
    path,
    kind: 'file',
    size: 5,
    created: expect.stringMatching(/^\d{4}-/),
    modified: '2021-01-02T03:04:05.000Z',
    accessed: '2020-01-02T03:04:05.000Z',
    permissions: '640',
    links: 1,
  });
  const [text] = await workspace.say(client, 'get_file_info', { path: 'a.txt' });
  expect(text).toContain('path: /root/a.txt\nkind: file\nsize: 5\n');
});
