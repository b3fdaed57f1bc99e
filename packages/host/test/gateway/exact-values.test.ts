import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { end, GatewayProgram } from './gateway-program.ts';

// A server that is written without a JSON parser's losses: its tool returns the line of the request,
// and a number that JavaScript does not have. With `batches` it answers two calls in one array,
// as 2025-03-26 allows.
const server = String.raw`
const { createInterface } = require('node:readline');
const modern = process.argv.includes('modern');
const batches = process.argv.includes('batches');
const batch = [];
const info = { name: 'exact', version: '1' };
const list = { tools: [{ name: 'exact', inputSchema: { type: 'object' } }] };
const results = {
  [modern ? 'server/discover' : 'initialize']: (params) => modern
    ? { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, serverInfo: info }
    : { protocolVersion: batches ? '2025-03-26' : params.protocolVersion, capabilities: { tools: {} }, serverInfo: info },
  'tools/list': () => modern ? { resultType: 'complete', ...list, ttlMs: 0, cacheScope: 'private' } : list,
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const text = JSON.stringify(line);
  const result = method === 'tools/call'
    ? (modern ? '{"resultType":"complete",' : '{') +
      '"structuredContent":{"id": 12345678901234567890, "half": 1.50},"content":[{"type":"text","text":' + text + '}]}'
    : JSON.stringify(results[method]?.(params));
  const answer = result ?? '{"code":-32601,"message":"Unknown method"}';
  const response = '{"id":' + JSON.stringify(id) + ',"' + (result ? 'result' : 'error') + '":' + answer + ',"jsonrpc":"2.0"}';
  if (!batches || method !== 'tools/call') return console.log(response);
  if (batch.push(response) === 2) console.log('[' + batch.join(', ') + ']');
});
`;

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function handshake(protocolVersion: string): string {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  return JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
}

/** A gateway in front of the server, and the lines that it writes. */
function startedGateway(era: string, ...options: string[]) {
  const exact = { command: process.execPath, args: ['-e', server, 'server', era] };
  const gateway = new GatewayProgram({ exact }, '--no-prefix', ...options);
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const child = gateway.spawn();
  onTestFinished(() => end(child));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    send: (text: string) => child.stdin.write(`${text}\n`),
    async line(wanted: (message: object) => boolean): Promise<string> {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error('The gateway has ended');
        if (wanted(JSON.parse(value) as object)) return value;
      }
    },
  };
}

/**
 * Sends a call whose `arguments` are this text twice to `mcp serve`, and returns the lines of the responses.
 */
async function answersTo(
  args: string,
  version: string,
  era: string,
  ...options: string[]
): Promise<string[]> {
  const gateway = startedGateway(era, ...options);
  const stateless = version === '2026-07-28';
  const send = (members: string) => gateway.send(`{"jsonrpc":"2.0",${members}}`);
  if (!stateless) gateway.send(handshake(version));
  const metadata = stateless ? `,"_meta":${JSON.stringify(meta)}` : '';
  const name = options.includes('--lazy') ? 'call_tool' : 'exact';
  const answers: string[] = [];
  for (const id of [1, 2]) {
    send(`"id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${args}${metadata}}`);
    answers.push(await gateway.line((message) => 'id' in message && message.id === id));
  }
  return answers;
}

const given = '{"id": 98765432109876543210, "text":"\\u00e9 \\"", "id2":1.0}';

test.each([
  ['2025-11-25', 'legacy'],
  ['2025-11-25', 'modern'],
  ['2025-06-18', 'legacy'],
  ['2024-11-05', 'modern'],
  ['2026-07-28', 'legacy'],
  ['2026-07-28', 'modern'],
])('numbers keep their digits between a client of %s and a %s server', async (version, era) => {
  for (const answer of await answersTo(given, version, era)) {
    const { result } = JSON.parse(answer) as { result: { content: { text: string }[] } };
    expect(result.content[0]?.text).toContain(`"arguments":${given}`);
    // 2024-11-05 has no structured content.
    if (version !== '2024-11-05')
      expect(answer).toContain('"structuredContent":{"id": 12345678901234567890, "half": 1.50}');
  }
});

test('numbers keep their digits in calls through --lazy', async () => {
  const [first] = await answersTo(`{"name":"exact","arguments":${given}}`, '2025-11-25', 'legacy', '--lazy');
  expect(first).toContain(JSON.stringify(`"arguments":${given}`).slice(1, -1));
  expect(first).toContain('12345678901234567890');
});

test('numbers keep their digits in the calls of a batch', async () => {
  const gateway = startedGateway('legacy');
  gateway.send(handshake('2025-03-26'));
  const call = (id: number, args: string) =>
    `{"jsonrpc":"2.0", "id":${id},"method":"tools/call","params":{"name":"exact","arguments":${args}}}`;
  const second = '{"list":[1,"],[",{"deep":-98765432109876543210}], "e":1E400}';
  gateway.send(`[ ${call(1, given)} , {"jsonrpc":"2.0","method":"notifications/x"},${call(2, second)}]`);
  const batch = await gateway.line((message) => Array.isArray(message));
  const answers = JSON.parse(batch) as { id: number; result: { content: { text: string }[] } }[];
  const received = new Map(answers.map(({ id, result }) => [id, result.content[0]?.text]));
  expect(received.get(1)).toContain(`"arguments":${given}`);
  expect(received.get(2)).toContain(`"arguments":${second}`);
});

test('numbers keep their digits in the results of a batch', async () => {
  const gateway = startedGateway('batches');
  gateway.send(handshake('2025-11-25'));
  const ids = [1, 2];
  for (const id of ids)
    gateway.send(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"exact"}}`);
  for (const id of ids) {
    const answer = await gateway.line((message) => 'id' in message && message.id === id);
    expect(answer).toContain('"structuredContent":{"id": 12345678901234567890, "half": 1.50}');
  }
});
