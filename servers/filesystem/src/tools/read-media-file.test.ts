import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1');
const ogg = Buffer.from('OggS\0\x02', 'latin1');

test('read_media_file detects the type of images and audio from their content', async () => {
  using workspace = new Workspace({ 'a.png': png, 'b.txt': png, 'c.dat': ogg });
  await using client = await workspace.connect();
  const read = async (path: string) => (await client.callTool('read_media_file', { path })).content;
  const image = { type: 'image', data: png.toString('base64'), mimeType: 'image/png' };
  expect(await read('a.png')).toEqual([image]);
  expect(await read('b.txt')).toEqual([image]);
  expect(await read('c.dat')).toEqual([
    { type: 'audio', data: ogg.toString('base64'), mimeType: 'audio/ogg' },
  ]);
});

test('read_media_file returns every other file as a blob, also a text named .png', async () => {
  using workspace = new Workspace({ 'a.svg': '<svg/>', 'b.png': 'text', 'c.bin': new Uint8Array([0, 1]) });
  await using client = await workspace.connect();
  const read = async (path: string) => (await client.callTool('read_media_file', { path })).content;
  const uri = (name: string) => pathToFileURL(join(workspace.root, name)).href;
  expect(await read('a.svg')).toEqual([
    { type: 'resource', resource: { uri: uri('a.svg'), mimeType: 'image/svg+xml', blob: 'PHN2Zy8+' } },
  ]);
  expect(await read('b.png')).toMatchObject([{ resource: { mimeType: 'text/plain', blob: 'dGV4dA==' } }]);
  expect(await read('c.bin')).toMatchObject([{ resource: { mimeType: 'application/octet-stream' } }]);
});

test('read_media_file refuses a file that is too large, missing or outside', async () => {
  using workspace = new Workspace({ 'large.png': Buffer.alloc(11 * 1024 ** 2) });
  await using client = await workspace.connect();
  const refused = async (path: string) => (await workspace.say(client, 'read_media_file', { path }))[1];
  expect(await refused('large.png')).toBe(
    'Too large to read as a whole (more than 10485760 bytes); read parts of the file, if it is text: "large.png"',
  );
  expect(await refused('missing.png')).toBe('No such file: "missing.png"');
  expect(await refused('../outside/secret.txt')).toBe(
    'Outside the allowed directories: "../outside/secret.txt"',
  );
});
