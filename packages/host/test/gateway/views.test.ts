import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TemporaryDirectory } from '@mcp/test-kit';
import { viewsCapability } from '@mcp/views';
import { bundledProgram } from '@mcp/test-kit/bundled-program';
import { afterAll, describe, expect, test } from 'vitest';
import { GatewayProgram, probeServer } from './gateway-program.ts';

const server = bundledProgram(fileURLToPath(new URL('../view-server.ts', import.meta.url)));
const entry = (...args: readonly string[]) => ({ command: process.execPath, args: [server, ...args] });
const gateway = new GatewayProgram({
  one: entry('one', 'ui://clock/dial', 'wind'),
  plain: probeServer('plain', 'legacy'),
  two: entry('two', 'ui://clock/dial'),
  // A view that looks like one of another server, to be read in its place.
  three: entry('three', 'ui://mcp/two/clock/dial'),
});
const lazy = new GatewayProgram({ one: entry('one', 'ui://clock/dial') }, '--lazy');
const alone = new GatewayProgram({ one: entry('one', 'ui://clock/dial') });
afterAll(() => Promise.all([gateway, lazy, alone].map((each) => each[Symbol.asyncDispose]())));

const uris = {
  one: 'ui://mcp/one/clock/dial',
  two: 'ui://mcp/two/clock/dial',
  three: 'ui://mcp/three/mcp/two/clock/dial',
};

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'])('a client of %s', (revision) => {
  test.each(['stdio', 'http'] as const)(
    'reads the view of each tool by a `ui:` URI, over %s',
    async (kind) => {
      const client = await gateway[kind]({ revision, extensions: viewsCapability });
      const tools = await client.listTools();
      for (const [name, uri] of Object.entries(uris)) {
        const shown = tools.find((tool) => tool.name === `${name}__show`);
        expect(shown?._meta).toEqual({ ui: { resourceUri: uri } });
        const own = tools.find((tool) => tool.name === `${name}__${name === 'one' ? 'wind' : 'refresh'}`);
        expect(own?._meta).toEqual({ ui: { resourceUri: uri, visibility: ['app'] } });
        const { contents } = await client.readResource(uri);
        const text = `<!doctype html><title>${name}</title>`;
        expect(contents).toEqual([{ uri, mimeType: 'text/html;profile=mcp-app', text }]);
      }
      const listed = (await client.listResources()).filter(({ uri }) => uri.startsWith('ui:'));
      expect(listed.map(({ uri }) => uri)).toEqual(Object.values(uris));
    },
  );

  test.each(['stdio', 'http'] as const)('without views gets nothing of them, over %s', async (kind) => {
    const client = await gateway[kind]({ revision });
    const tools = await client.listTools();
    expect(tools.filter(({ name }) => name.endsWith('__show'))).toHaveLength(3);
    expect(JSON.stringify(tools)).not.toMatch(/ui:|wind|refresh/);
    expect(JSON.stringify(await client.listResources())).not.toContain('ui:');
    for (const uri of Object.values(uris))
      await expect(client.readResource(uri)).rejects.toMatchObject({ phase: 'call' });
    await expect(client.callTool('one__wind')).rejects.toThrow('Unknown tool');
    await expect(client.callTool('wind')).rejects.toThrow('Unknown tool');
  });

  test('has the tools called that a view names as its server does', async () => {
    const client = await gateway.http({ revision, extensions: viewsCapability });
    expect(await client.callTool('wind')).toMatchObject({ content: [{ text: 'by one' }] });
    expect(await client.callTool('two__refresh')).toMatchObject({ content: [{ text: 'by two' }] });
    await expect(client.callTool('refresh')).rejects.toThrow(
      'Several servers have views and a tool "refresh": call "two__refresh" or "three__refresh"',
    );
    await expect(client.callTool('echo')).rejects.toThrow('Unknown tool: "echo"');
  });

  test('of one server alone has its tools called by either name', async () => {
    const client = await alone.stdio({ revision, extensions: viewsCapability });
    for (const name of ['refresh', 'show', 'one__refresh'])
      expect(await client.callTool(name)).toMatchObject({ content: [{ text: 'by one' }] });
  });
});

test('the URI of a view leads to the same page when a server with an equal one is added', async () => {
  const two = entry('two', 'ui://clock/dial');
  await using changing = new GatewayProgram({ two });
  const client = await changing.stdio({ extensions: viewsCapability });
  const uriOf = async (name: string) => {
    const shown = (await client.listTools()).find((tool) => tool.name === name);
    return (shown?._meta?.['ui'] as { readonly resourceUri?: string } | undefined)?.resourceUri;
  };
  const uri = await uriOf('two__show');
  changing.configure({ one: entry('one', 'ui://clock/dial'), two });
  await expect.poll(() => uriOf('one__show'), { timeout: 10_000 }).toBeDefined();
  expect((await client.readResource(uri!)).contents).toMatchObject([
    { uri, text: '<!doctype html><title>two</title>' },
  ]);
});

test.each(['2025-11-25', '2026-07-28'])(
  'a client of %s with views gets them after a client without views',
  async (revision) => {
    await using fresh = new GatewayProgram({ one: entry('one', 'ui://clock/dial') });
    const without = await fresh.http({ revision });
    expect(JSON.stringify(await without.listTools())).not.toContain('ui:');
    const client = await fresh.http({ revision, extensions: viewsCapability });
    expect(Object.keys(client.capabilities['extensions'] ?? {})).toContain('io.modelcontextprotocol/ui');
    const { contents } = await client.readResource(uris.one);
    expect(contents).toMatchObject([{ uri: uris.one, text: '<!doctype html><title>one</title>' }]);
  },
);

test('with `--no-prefix`, the URI of a view is that of its server', async () => {
  await using bare = new GatewayProgram({ two: entry('two', 'ui://clock/dial') }, '--no-prefix');
  const client = await bare.stdio({ extensions: viewsCapability });
  const [show] = await client.listTools();
  expect(show).toMatchObject({ name: 'show', _meta: { ui: { resourceUri: 'ui://clock/dial' } } });
  expect((await client.readResource('ui://clock/dial')).contents).toMatchObject([{ uri: 'ui://clock/dial' }]);
});

test.each(['2025-03-26', '2024-11-05'])('a client of %s cannot have views', async (revision) => {
  const client = await gateway.http({ revision, extensions: viewsCapability });
  const names = (await client.listTools()).map(({ name }) => name);
  expect(names.filter((name) => name.endsWith('__show'))).toHaveLength(3);
  expect(names.filter((name) => /wind|refresh/.test(name))).toEqual([]);
});

test('tools for views are no changed tools after a client that shows other views', async () => {
  const fresh = new GatewayProgram({ one: entry('one', 'ui://clock/dial') });
  await using _ = fresh;
  const namesFor = async (extensions: typeof viewsCapability) =>
    (await (await fresh.http({ extensions })).listTools()).map(({ name }) => name);
  const others = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/uri-list'] } };
  expect(await namesFor(others as never)).toEqual(['one__show']);
  expect(await namesFor(viewsCapability)).toEqual(['one__show', 'one__refresh']);
});

test.each(['2025-11-25', '2026-07-28'])(
  'the audit of a client of %s has the server of each request, and which calls only views make',
  async (revision) => {
    using directory = new TemporaryDirectory('audited-views');
    const policy = directory.put('p.json', JSON.stringify({ audit: { file: 'a.jsonl' } }));
    const servers = { one: entry('one', 'ui://clock/dial', 'wind'), plain: probeServer('plain') };
    await using audited = new GatewayProgram(servers, '--policy', policy);
    const client = await audited.stdio({ revision, extensions: viewsCapability });
    for (const name of ['one__show', 'one__wind', 'wind', 'show', 'plain__count'])
      await client.callTool(name);
    await expect(client.callTool('wnd')).rejects.toThrow('Unknown tool');
    await client.readResource(uris.one);
    await client.getPrompt('plain__greet');
    await client.close();
    const lines = readFileSync(join(directory.root, 'a.jsonl'), 'utf8').trim().split('\n');
    const kept = lines.map((line) => {
      const { name, server, view } = JSON.parse(line) as Readonly<Record<string, unknown>>;
      return [name, server, view];
    });
    expect(kept).toEqual([
      ['one__show', 'one', undefined],
      ['one__wind', 'one', true],
      ['wind', 'one', true],
      ['show', 'one', true],
      ['plain__count', 'plain', undefined],
      ['wnd', undefined, undefined],
      [uris.one, 'one', undefined],
      ['plain__greet', 'plain', undefined],
    ]);
  },
);

test('with `--lazy`, the model gets no tools that are for views alone', async () => {
  const client = await lazy.stdio({ extensions: viewsCapability });
  const call = async (name: string, args: object) =>
    JSON.stringify((await client.callTool(name, args as never)).content);
  expect(await call('list_tools', {})).toBe('[{"type":"text","text":"one__show: Shows."}]');
  expect(await call('describe_tool', { name: 'one__refresh' })).toContain('Unknown tool');
  expect(await call('describe_tool', { name: 'one__show' })).toContain('Shows.');
  expect(await call('call_tool', { name: 'one__show' })).toContain('by one');
  await expect(client.callTool('call_tool', { name: 'one__refresh' })).rejects.toThrow('Unknown tool');
});
