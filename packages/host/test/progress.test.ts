import { TemporaryDirectory } from '@mcp/test-kit';
import { afterAll, expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

// A server that reports progress has as much time as it needs, in every command, also if stdout is a pipe.

/** Each request takes 1.6 seconds, and reports its progress every 0.4 seconds if requested. */
const source = `
const slow = {
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
  'resources/read': { contents: [{ uri: 'slow:a', text: 'done' }] },
  'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: 'done' } }] },
};
const results = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {}, resources: {}, prompts: {} }, serverInfo: { name: 'slow', version: '1' } },
  'tools/list': { tools: [{ name: 'wait', inputSchema: { type: 'object' } }] },
  'resources/list': { resources: [{ uri: 'slow:a', name: 'a' }] },
  'prompts/list': { prompts: [{ name: 'p' }] },
};
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const error = { code: -32601, message: 'Unknown method' };
  if (!slow[method]) return send(results[method] ? { id, result: results[method] } : { id, error });
  const token = params._meta?.progressToken;
  let steps = 0;
  const timer = setInterval(() => {
    if (++steps === 4) return clearInterval(timer), send({ id, result: slow[method] });
    if (token !== undefined) send({ method: 'notifications/progress', params: { progressToken: token, progress: steps } });
  }, 400);
});
`;

const directory = new TemporaryDirectory('progress');
const slow = { command: process.execPath, args: [directory.put('slow.cjs', source)] };
const workspace = new Workspace({ slow, limited: { ...slow, timeout: 1_000 } });
afterAll(() => {
  workspace[Symbol.dispose]();
  directory[Symbol.dispose]();
});

const block = '<use_mcp_tool><server_name>limited</server_name><tool_name>wait</tool_name></use_mcp_tool>';
const resource =
  '<access_mcp_resource><server_name>limited</server_name><uri>slow:a</uri></access_mcp_resource>';
const message = JSON.stringify({
  role: 'assistant',
  tool_calls: [{ id: '1', type: 'function', function: { name: 'limited__wait', arguments: '{}' } }],
});

test.each([
  [['call', 'slow.wait', '--timeout', '1'], ''],
  [['--json', 'call', 'slow.wait', '--timeout', '1'], ''],
  [['call', 'limited.wait'], ''],
  [['call', '--from', 'openai'], message],
  [['route'], block],
  [['route'], resource],
  [['read', 'limited', 'slow:a'], ''],
  [['prompt', 'limited.p'], ''],
])('progress extends the time limit in a pipe: mcp %j', async (args, input) => {
  const { code, stdout, stderr } = await workspace.mcp(args, { input });
  expect({ code, stderr, stdout }).toEqual({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('done') as string,
  });
});

test('--max-time is not extended', async () => {
  expect(await workspace.mcp(['call', 'slow.wait', '--max-time', '1'])).toMatchObject({ code: 6 });
});
