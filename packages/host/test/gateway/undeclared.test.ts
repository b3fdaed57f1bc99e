import { createInterface } from 'node:readline';
import { TemporaryDirectory } from '@mcp/test-kit';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { end, GatewayProgram, textOf } from './gateway-program.ts';

/**
 * A server that asks each client for what its tool is named after, whatever the client declares, and returns
 * what it gets.
 */
const source = `
const modern = process.argv[2] === 'modern';
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const requests = {
  sampling: { method: 'sampling/createMessage', params: { maxTokens: 5, messages: [] } },
  tools: { method: 'sampling/createMessage', params: { maxTokens: 5, messages: [], tools: [] } },
  form: { method: 'elicitation/create', params: { message: 'Which?', requestedSchema: { type: 'object', properties: {} } } },
  url: { method: 'elicitation/create', params: { mode: 'url', message: 'Open', url: 'https://example.com/', elicitationId: '1' } },
  roots: { method: 'roots/list', params: {} },
  other: { method: 'other/ask', params: {} },
};
const capabilities = { tools: {} };
const serverInfo = { name: 'asking', version: '1' };
const tools = Object.keys(requests).map((name) => ({ name, inputSchema: { type: 'object' } }));
const waiting = new Map();
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }], resultType: 'complete' });
const results = {
  [modern ? 'server/discover' : 'initialize']: () => modern
    ? { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities, serverInfo, ttlMs: 0, cacheScope: 'private' }
    : { protocolVersion: '2025-11-25', capabilities, serverInfo },
  'tools/list': () => ({ resultType: 'complete', tools, ttlMs: 0, cacheScope: 'private' }),
  'tools/call': ({ name, inputResponses }, id) => {
    if (inputResponses) return text(inputResponses);
    if (modern) return { resultType: 'input_required', inputRequests: { it: requests[name] }, requestState: 's' };
    waiting.set('q' + id, id);
    send({ id: 'q' + id, ...requests[name] });
  },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (waiting.has(id)) return send({ id: waiting.get(id), result: text(result ?? error) });
  if (id === undefined) return;
  if (!results[method]) return send({ id, error: { code: -32601, message: 'Unknown method' } });
  const own = results[method](params, id);
  if (own) send({ id, result: own });
});
`;

const directory = new TemporaryDirectory('undeclared');
const server = directory.put('asking.cjs', source);
const asking = (era: string) => ({ command: process.execPath, args: [server, era] });
const gateway = new GatewayProgram({ legacy: asking('legacy'), modern: asking('modern') });
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  directory[Symbol.dispose]();
});

const eras = ['legacy', 'modern'];
const undeclared = ['sampling', 'tools', 'url', 'roots', 'other'];

describe.each(eras)('from a %s server', (era) => {
  test('a client of 2025-11-25 gets the requests that it declared, and no others', async () => {
    const asked: string[] = [];
    const client = await gateway.stdio({
      revision: '2025-11-25',
      elicit: ({ message }) => {
        asked.push(message);
        return Promise.resolve({ action: 'decline' });
      },
    });
    expect(textOf(await client.callTool(`${era}__form`))).toContain('decline');
    for (const name of undeclared) {
      const answer = await client.callTool(`${era}__${name}`).then(textOf, (error: Error) => error.message);
      expect(answer, name).toMatch(/does not support|is not a request to a client/);
    }
    expect(asked).toEqual(['Which?']);
  });

  test('a client of 2026-07-28 gets the requests that it declared, and no others', async () => {
    const call = rawClient({ elicitation: {} });
    expect(await call(`${era}__form`)).toMatchObject({
      result: {
        resultType: 'input_required',
        inputRequests: {
          [era === 'legacy' ? 'elicitation/create-1' : 'it']: { params: { message: 'Which?' } },
        },
      },
    });
    for (const name of undeclared)
      expect(await call(`${era}__${name}`), name).toMatchObject(
        era === 'legacy'
          ? { result: { content: [{ text: expect.stringContaining('client does not support') }] } }
          : { error: { code: -32021, message: expect.stringContaining('client does not support') } },
      );
  });
});

/** Calls tools of the gateway with raw messages, because our client refuses what it has not declared. */
function rawClient(capabilities: object) {
  const child = gateway.spawn();
  onTestFinished(() => end(child));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  let id = 0;
  return async (name: string): Promise<unknown> => {
    const params = { name, arguments: {}, _meta };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method: 'tools/call', params })}\n`);
    const { value } = (await lines.next()) as IteratorResult<string, undefined>;
    return JSON.parse(value ?? '{}');
  };
}
