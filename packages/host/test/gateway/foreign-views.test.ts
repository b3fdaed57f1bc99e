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

const odd = 'ui://mcp/odd%20%2F%20%252F%3F%23%EF%BF%BD/clock/größe?x=%20#y';

test('each form of the URI in a tool leads to the view of its server', async () => {
  const client = await gateway.http({ extensions: viewsCapability });
  const tools = await client.listTools();
  expect(tools.filter(({ description }) => description === 'Shows.').map(({ _meta }) => _meta)).toEqual([
    { ui: { resourceUri: uri } },
    { 'ui/resourceUri': 'ui://mcp/flat/clock/größe?x=%20#y' },
    { ui: { resourceUri: odd }, 'ui/resourceUri': odd },
  ]);
  for (const [name, at] of [
    ['nested', uri],
    ['flat', 'ui://mcp/flat/clock/größe?x=%20#y'],
    ['odd', odd],
  ] as const)
    expect((await client.readResource(at)).contents).toMatchObject([{ uri: at, text: `by ${name}` }]);
});
