import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { viewsCapability } from '@mcp/views';
import { bundledProgram } from '@mcp/test-kit/bundled-program';
import { afterAll, expect, test } from 'vitest';
import { GatewayProgram } from './gateway-program.ts';

// Views of servers that were not written with `@mcp/views`.

const programOf = (file: string) => bundledProgram(fileURLToPath(new URL(`../${file}`, import.meta.url)));
const foreign = programOf('foreign-view-server.ts');
const uri = 'ui://clock/größe?x=%20#y';
const entry = (...args: readonly string[]) => ({ command: process.execPath, args: [foreign, ...args] });
const gateway = new GatewayProgram({
  nested: entry('nested', uri, 'nested'),
  flat: entry('flat', uri, 'flat'),
  'odd / %2F?#\ud800': entry('odd', uri, 'both'),
});
afterAll(() => gateway[Symbol.asyncDispose]());

const nested = 'ui://mcp/nested/clock/größe?x=%20#y';
const odd = 'ui://mcp/odd%20%2F%20%252F%3F%23%EF%BF%BD/clock/größe?x=%20#y';

test('each form of the URI in a tool leads to the view of its server', async () => {
  const client = await gateway.http({ extensions: viewsCapability });
  const tools = await client.listTools();
  expect(tools.filter(({ description }) => description === 'Shows.').map(({ _meta }) => _meta)).toEqual([
    { ui: { resourceUri: nested } },
    { 'ui/resourceUri': 'ui://mcp/flat/clock/größe?x=%20#y' },
    { ui: { resourceUri: odd }, 'ui/resourceUri': odd },
  ]);
  for (const [name, at] of [
    ['nested', nested],
    ['nested', uri],
    ['flat', 'ui://mcp/flat/clock/größe?x=%20#y'],
    ['odd', odd],
  ] as const)
    expect((await client.readResource(at)).contents).toMatchObject([{ uri: at, text: `by ${name}` }]);
});

test('templates of views are completed and read at their servers', async () => {
  const client = await gateway.http({ extensions: viewsCapability });
  const templates = (await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate);
  expect(templates[1]).toBe('ui://mcp/flat/table/{row}');
  for (const [index, name] of ['nested', 'flat', 'odd'].entries()) {
    const resource = templates[index] ?? '';
    const { values } = await client.complete({ resource }, { name: 'row', value: '' });
    expect(values).toEqual([name]);
    const at = resource.replace('{row}', '1');
    expect((await client.readResource(at)).contents).toMatchObject([{ uri: at, text: `1 by ${name}` }]);
  }
});

const otherTypes = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/uri-list'] } };

test.each<[string, object]>([
  ['2026-07-28', {}],
  ['2026-07-28', otherTypes],
  ['2025-11-25', otherTypes],
  ['2025-06-18', {}],
  // These revisions have no `_meta` in tools, so that their clients cannot show views.
  ['2025-03-26', viewsCapability],
  ['2024-11-05', viewsCapability],
])('at %s, a client that declares %j gets no tools for views', async (revision, extensions) => {
  const client = await gateway.http({ revision, extensions: extensions as typeof viewsCapability });
  const tools = await client.listTools();
  expect(tools.map(({ description }) => description)).toEqual(['Shows.', 'Shows.', 'Shows.']);
  expect(await client.callTool('flat__show')).toMatchObject({ content: [{ text: 'by flat' }] });
  for (const name of ['flat__own', 'own'])
    await expect(client.callTool(name)).rejects.toThrow(`Unknown tool: "${name}"`);
});

test('a view of an earlier conversation calls a tool before anything is listed', async () => {
  const args = [programOf('view-server.ts'), 'one', 'ui://clock/dial', 'wind'];
  await using fresh = new GatewayProgram({ one: { command: process.execPath, args } });
  const gatewayProcess = fresh.spawn();
  const lines = createInterface(gatewayProcess.stdout)[Symbol.asyncIterator]();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'lines', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': { extensions: viewsCapability },
  };
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wind', _meta } };
  gatewayProcess.stdin.end(`${JSON.stringify(request)}\n`);
  const { value } = await lines.next();
  expect(JSON.parse(String(value))).toMatchObject({ result: { content: [{ text: 'by one' }] } });
});
