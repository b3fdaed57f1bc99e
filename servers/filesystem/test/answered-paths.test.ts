import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@mcp/protocol/testing';
import { expect, test } from 'vitest';
import { filesystem } from '../src/server.ts';
import { Workspace } from './workspace.ts';

/** Two allowed directories, the second of which lies outside the first. */
async function twoDirectories() {
  const workspace = new Workspace({ 'README.md': 'top', 'sub/README.md': 'needle in sub' });
  mkdirSync(join(workspace.base, 'second/deep'), { recursive: true });
  writeFileSync(join(workspace.base, 'second/deep/README.md'), 'needle in second');
  const directories = [workspace.root, join(workspace.base, 'second')];
  return { workspace, client: await connect(filesystem({ directories })) };
}

test.each([
  { from: 'sub', path: 'sub/README.md', text: 'needle in sub' },
  { from: 'second', path: 'second/deep/README.md', text: 'needle in second' },
])('a path that a search in $from returns can be passed to another tool', async ({ from, path, text }) => {
  const { workspace, client } = await twoDirectories();
  using _ = workspace;
  const start = from === 'second' ? join(workspace.base, 'second') : from;
  const isInFirst = from !== 'second';
  const expected = isInFirst ? path : `/${path}`;
  expect(await workspace.say(client, 'search_files', { path: start, pattern: '*.md' })).toEqual([
    `${expected}\n1 match`,
  ]);
  const [found] = await workspace.say(client, 'search_text', { path: start, text: 'needle' });
  expect(found).toBe(`${expected}\n1\t${text}\n\n1 line in 1 file`);
  const passedBack = isInFirst ? path : join(workspace.base, path);
  expect(await workspace.say(client, 'read_text_file', { path: passedBack })).toEqual([text]);
  const [inFile] = await workspace.say(client, 'search_text', { path: passedBack, text: 'needle' });
  expect(inFile).toBe(`${expected}\n1\t${text}\n\n1 line in 1 file`);
});

test('a prompt lists the files of a directory with paths that can be passed to a tool', async () => {
  const { workspace, client } = await twoDirectories();
  using _ = workspace;
  const { messages } = await client.getPrompt('summarize_directory', { path: 'sub' });
  expect(JSON.stringify(messages)).toContain('"sub/README.md"');
});
