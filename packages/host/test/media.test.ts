import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { hasTerminals, Terminal } from './terminal.ts';
import { rawServer } from './raw-server.ts';
import { smallServer } from './small-server.ts';
import { Workspace } from './workspace.ts';

const workspace = new Workspace();
afterAll(() => workspace[Symbol.dispose]());

test('--save writes images, sounds and files, prints their paths, and replaces no file', async () => {
  const directory = join(workspace.directory.base, 'saved');
  const save = () => workspace.mcp(['call', 'fix.picture', '--save', directory]);
  const { stdout } = await save();
  expect(stdout).toContain(`[image/png, 72 bytes] ${join(directory, 'picture.png')}\n`);
  expect(stdout).toContain(`[audio/wav, 5 bytes] ${join(directory, 'picture.wav')}\n`);
  // The name that the server gives holds a path and a space.
  expect(stdout).toContain(`[application/octet-stream, 5 bytes] ${join(directory, 'odd-name.bin')}\n`);
  await save();
  expect(readdirSync(directory).toSorted()).toEqual(
    [
      'odd-name-2.bin',
      'odd-name.bin',
      'picture-2.png',
      'picture-2.wav',
      'picture.png',
      'picture.wav',
    ].toSorted(),
  );
  expect(readFileSync(join(directory, 'odd-name.bin'), 'utf8')).toBe('bytes');
});

test('without --save, images are named where no terminal shows them', async () => {
  const { stdout, code } = await workspace.mcp(['call', 'fix.picture']);
  expect(code).toBe(0);
  expect(stdout).toBe(
    'Two pixels\n\n[image/png, 72 bytes]\n\n[audio/wav, 5 bytes]\n\n[application/octet-stream, 5 bytes]\n',
  );
});

test('a resource whose bytes are text is printed, unless they are none in its charset', async () => {
  using own = new Workspace();
  const part = (uri: string, mimeType: string, bytes: string | Buffer) => ({
    uri,
    mimeType,
    blob: Buffer.from(bytes).toString('base64'),
  });
  const parts = [
    part('r:text', 'text/markdown', '# Käse\n'),
    part('r:json', 'application/problem+json; charset=utf-8', '{"a":{"b":1}}'),
    part('r:latin', 'text/plain;charset="ISO-8859-1"', Buffer.from('Käse', 'latin1')),
    part('r:wrong', 'text/plain', Buffer.from('Käse', 'latin1')),
    part('r:odd', 'text/plain; charset=none', 'x'),
    part('r:bytes', 'application/octet-stream', 'x'),
  ];
  const results = parts.map((each) => [each.uri, JSON.stringify({ contents: [each] })]);
  const raw = rawServer(own.directory, Object.fromEntries(results) as Record<string, string>);
  own.directory.put('mcp.json', JSON.stringify({ mcpServers: { raw } }));
  const read = async (...words: string[]) => (await own.mcp(['read', 'raw', ...words])).stdout;
  expect(await read('r:text')).toBe('# Käse\n\n');
  expect(await read('r:json', '--pick', 'a')).toBe('{"b":1}\n');
  expect(await read('r:latin')).toBe('Käse\n');
  expect(await read('r:wrong')).toBe('[text/plain, 4 bytes]\n');
  expect(await read('r:odd')).toBe('[text/plain; charset=none, 1 bytes]\n');
  expect(await read('r:bytes')).toBe('[application/octet-stream, 1 bytes]\n');
  const directory = join(own.directory.base, 'saved');
  await read('r:text', '--save', directory);
  expect(readFileSync(join(directory, 'r-text.bin'), 'utf8')).toBe('# Käse\n');
});

test('structured content is printed where the text points to it', async () => {
  using own = new Workspace();
  const small = smallServer(own.directory, { TOOLS: 'echo pointer' });
  own.directory.put('mcp.json', JSON.stringify({ mcpServers: { small } }));
  const call = async (tool: string) => (await own.mcp(['call', `small.${tool}`, 'low=44.6'])).stdout;
  expect(await call('pointer')).toBe('The answer is in structuredContent\n\n{\n  "low": "44.6"\n}\n');
  expect(await call('echo')).toBe('{"low":"44.6"}\n');
});

test('a directory of --save that cannot be written is an error which names it', async () => {
  const file = workspace.directory.put('file');
  const { stderr, code } = await workspace.mcp(['call', 'fix.picture', '--save', file]);
  expect(stderr).toContain(`Cannot write to --save "${file}"`);
  expect(code).toBe(1);
});

describe.skipIf(!hasTerminals)('an image is shown', () => {
  test.each([
    ['kitty', { KITTY_WINDOW_ID: '1' }, '\u001b_Ga=T,f=100,q=2,m=0;iVBORw0KGgo'],
    [
      'iTerm2',
      { TERM_PROGRAM: 'iTerm.app' },
      '\u001b]1337;File=inline=1;size=72;preserveAspectRatio=1:iVBORw0KGgo',
    ],
    // The pixels are red and blue: two colours, and one sixel of each.
    ['a sixel terminal that the environment names', { TERM: 'foot' }, '\u001bP0;0;q"1;1;2;1'],
  ])('in %s', async (_, variables, sequence) => {
    const env = { ...workspace.env, ...variables };
    const terminal = new Terminal(workspace.commandLine('call', 'fix.picture'), { env });
    expect(await terminal.shows(/octet-stream/)).toContain(sequence);
    expect(await terminal.ended()).toBe(0);
  });

  test('in a terminal that answers that it has sixels, and named in one that does not answer', async () => {
    const start = () => new Terminal(workspace.commandLine('call', 'fix.picture'), { env: workspace.env });
    const [able, silent] = [start(), start()];
    await able.shows('\u001b[c');
    able.type('\u001b[?62;4;22c');
    expect(await able.shows(/octet-stream/)).toContain('\u001bP0;0;q"1;1;2;1');
    expect(await silent.shows(/--save <directory> writes these media to files/)).toContain(
      '[image/png, 72 bytes]',
    );
    expect(await silent.ended()).toBe(0);
  });

  test('in none whose MCP_IMAGES is unknown, and a warning names the known values', async () => {
    const env = { ...workspace.env, KITTY_WINDOW_ID: '1', MCP_IMAGES: 'kity' };
    const terminal = new Terminal(workspace.commandLine('call', 'fix.picture'), { env });
    const shown = await terminal.shows(/octet-stream/);
    expect(shown).toContain('Invalid MCP_IMAGES: "kity"; expected kitty, iterm, sixel or none');
    expect(shown).toContain('[image/png, 72 bytes]');
    expect(await terminal.ended()).toBe(0);
  });

  test('in no multiplexer, which would not pass it on', async () => {
    const env = { ...workspace.env, TERM: 'tmux-256color', KITTY_WINDOW_ID: '1' };
    const terminal = new Terminal(workspace.commandLine('call', 'fix.picture'), { env });
    const shown = await terminal.shows(/--save/);
    expect(shown).toContain('[image/png, 72 bytes]');
    expect(shown).not.toContain('\u001b_G');
  });
});
