import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect } from '@mcp/protocol/testing';
import { expect, test } from 'vitest';
import { filesystem } from '../src/server.ts';
import { Workspace } from './workspace.ts';

const long = Array.from({ length: 60_000 }, (_, line) => `line ${line + 1}`);

const files = {
  'a.txt': 'one\ntwo\r\n\nfour\n',
  'open.txt': 'one\ntwo',
  'empty.txt': '',
  'blank.txt': '\n\n\n',
  'wide.txt': Buffer.from('\ufeffone\ntwo\n', 'utf16le'),
  'short.txt': 'x\n'.repeat(20_000),
  'long.txt': long.join('\n'),
};

async function open() {
  const workspace = new Workspace(files);
  const client = await workspace.connect({ numbered: true });
  const say = (tool: string, args: object) => workspace.say(client, tool, { ...args });
  const read = (path: string, args: object = {}) => say('read_text_file', { path, ...args });
  return { workspace, client, say, read };
}

test('with --numbered every text read has the lines of the whole file with their numbers', async () => {
  const { workspace, client, say, read } = await open();
  using _ = workspace;
  await using __ = client;
  const lines = ['1\tone', '2\ttwo', '3\t', '4\tfour'];
  expect(await read('a.txt')).toEqual([lines.join('\n')]);
  expect(await read('a.txt', { head: 9 })).toEqual([lines.join('\n')]);
  expect(await read('a.txt', { head: 1 })).toEqual([lines[0], 'There is more; continue with offset 2.']);
  for (const tail of [1, 2, 3, 4, 9])
    expect(await read('a.txt', { tail })).toEqual([lines.slice(-tail).join('\n')]);
  expect(await read('a.txt', { offset: 3 })).toEqual([lines.slice(2).join('\n')]);
  expect(await read('open.txt', { tail: 1 })).toEqual(['2\ttwo']);
  expect(await read('blank.txt', { tail: 2 })).toEqual(['2\t\n3\t']);
  for (const args of [{}, { tail: 1 }, { head: 1 }]) expect(await read('empty.txt', args)).toEqual(['']);
  expect(await read('wide.txt')).toEqual(['1\tone\n2\ttwo']);
  expect(await read('wide.txt', { tail: 1 })).toEqual(['2\ttwo']);
  expect(await say('read_file', { path: 'open.txt' })).toEqual(['1\tone\n2\ttwo']);
  expect(await say('read_multiple_files', { paths: ['a.txt', 'open.txt'], tail: 1 })).toEqual([
    '"a.txt":\n4\tfour',
    '"open.txt":\n2\ttwo',
  ]);
  const [both] = await say('read_multiple_files', { paths: ['open.txt'], hash: true });
  expect(both).toMatch(/^"open\.txt" \(SHA-256 [0-9a-f]{64}\):\n1\tone\n2\ttwo$/);
});

test('with --numbered a read stays within its bound, and its note continues without a gap', async () => {
  const { workspace, client, say, read } = await open();
  using _ = workspace;
  await using __ = client;
  const [text = '', note] = await read('long.txt');
  expect(text.length).toBeLessThanOrEqual(38_000);
  const shown = text.split('\n');
  expect(shown).toEqual(long.slice(0, shown.length).map((line, at) => `${at + 1}\t${line}`));
  expect(note).toBe(
    `These are lines 1 to ${shown.length}; the file has ${long.join('\n').length} bytes. Continue with offset ${shown.length + 1}.`,
  );
  const [next = ''] = await read('long.txt', { offset: shown.length + 1 });
  expect(next.split('\n')[0]).toBe(`${shown.length + 1}\t${long[shown.length]}`);
  for (const part of [{}, { head: 20_000 }, { tail: 20_000 }]) {
    const [block = ''] = await say('read_multiple_files', { paths: ['short.txt'], ...part });
    expect(block.length).toBeLessThan(40_000);
    expect(block.split('\n').at(-1)).toMatch('tail' in part ? /^20000\tx$/ : /^\d{4}\tx$/);
  }
});

test('with --numbered the end of a long file has numbers if the whole file was read', async () => {
  const { workspace, client, read } = await open();
  using _ = workspace;
  await using __ = client;
  expect(await read('long.txt', { tail: 2 })).toEqual([
    'line 59999\nline 60000',
    'Without line numbers: of a long file, only the end is read.',
  ]);
  const [all = ''] = await read('long.txt', { tail: 60_000 });
  expect(all).toBe(long.map((line, at) => `${at + 1}\t${line}`).join('\n'));
});

test('an edit that was built from numbered lines is refused with the reason', async () => {
  const { workspace, client, say } = await open();
  using _ = workspace;
  await using __ = client;
  const edits = [{ oldText: '1\tone\n2\ttwo', newText: '1\tONE\n2\ttwo' }];
  const reason = 'its lines begin with line numbers, which are not in the file: leave them out';
  expect(await say('edit_file', { path: 'open.txt', edits })).toEqual([
    'ERROR',
    `Nothing was changed in "open.txt". oldText does not occur; ${reason}; the most similar lines are:\n  line 1: one`,
  ]);
  const [, several] = await say('edit_file', { glob: 'open.*', edits });
  expect(several).toContain(`; ${reason}; the most similar lines are:`);
  expect(readFileSync(join(workspace.root, 'open.txt'), 'utf8')).toBe(files['open.txt']);
});

test('without --numbered reads are as before, and only the description of read_text_file differs', async () => {
  const { workspace, client } = await open();
  using _ = workspace;
  await using numbered = client;
  await using plain = await workspace.connect();
  expect(await workspace.say(plain, 'read_text_file', { path: 'a.txt' })).toEqual([files['a.txt']]);
  const [before, after] = [await plain.listTools(), await numbered.listTools()];
  expect(JSON.stringify(after).length).toBeLessThanOrEqual(JSON.stringify(before).length);
  const differing = after.filter((tool, at) => JSON.stringify(tool) !== JSON.stringify(before[at]));
  expect(differing.map(({ name }) => name)).toEqual(['read_text_file']);
});

test.each(['2025-11-25', '2026-07-28'] as const)(
  'with --numbered reads in the roots of a client have numbers at %s',
  async (revision) => {
    using workspace = new Workspace(files);
    const roots = async () => [{ uri: pathToFileURL(workspace.root).href }];
    await using client = await connect(filesystem({ directories: [], numbered: true }), { revision, roots });
    expect(await workspace.say(client, 'read_text_file', { path: 'open.txt' })).toEqual(['1\tone\n2\ttwo']);
  },
);
