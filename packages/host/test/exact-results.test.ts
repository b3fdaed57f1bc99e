import { afterAll, expect, test } from 'vitest';
import { rawServer } from './raw-server.ts';
import { Workspace } from './workspace.ts';

// Numbers that JavaScript would write in another form are printed as the server wrote them. Not in Node 20.

const workspace = new Workspace();
afterAll(() => workspace[Symbol.dispose]());

const value =
  '{"id":12345678901234567890,"low":-9007199254740993,"half":1.50,"small":1,"__proto__":{"n":1e400}}';
const content = String.raw`[{"type":"text","text":"See structuredContent","_meta":{"n":18446744073709551615}}]`;
const results = {
  'tools/call': `{"content":${content},"structuredContent":${value}}`,
  'r:a': `{"contents":[{"uri":"r:a","text":"a","_meta":${value}}]}`,
  'prompts/get': `{"messages":[{"role":"user","content":{"type":"text","text":"a","_meta":${value}}}]}`,
};
const raw = rawServer(workspace.directory, results);
workspace.directory.put('mcp.json', JSON.stringify({ mcpServers: { raw } }));

test.each([
  [['call', 'raw.t'], results['tools/call']],
  [['read', 'raw', 'r:a'], results['r:a']],
  [['prompt', 'raw.p'], results['prompts/get']],
  [['call', 'raw.t', '--pick', 'id'], '12345678901234567890'],
])('--json prints the result as it came: mcp %j', async (words, printed) => {
  expect(await workspace.mcp([...words, '--json'])).toEqual({ stdout: `${printed}\n`, stderr: '', code: 0 });
});

test('structured content for a person has the same numbers', async () => {
  const { stdout } = await workspace.mcp(['call', 'raw.t']);
  expect(stdout).toContain('"id": 12345678901234567890,\n  "low": -9007199254740993,\n  "half": 1.50,');
});

test('--json prints the result of a task as it came', async () => {
  using own = new Workspace();
  const task =
    '"resultType":"complete","taskId":"t","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":60000,"pollIntervalMs":1';
  const complete = '"resultType":"complete"';
  const modern = {
    'server/discover': `{${complete},"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}},"serverInfo":{"name":"raw","version":"1"}}`,
    'tools/list': `{${complete},"tools":[{"name":"t","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"}`,
    'tools/call': `{${task.replace('complete', 'task')},"status":"working"}`,
    'tasks/get': `{${task},"status":"completed","result":${results['tools/call']}}`,
  };
  own.directory.put('mcp.json', JSON.stringify({ mcpServers: { raw: rawServer(own.directory, modern) } }));
  const { stdout, stderr } = await own.mcp(['call', 'raw.t', '--json']);
  expect({ stdout, stderr }).toEqual({ stdout: `${results['tools/call']}\n`, stderr: '' });
});
