import { runProgram } from '@mcp/test-kit';
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { program, Workspace } from './workspace.ts';

const workspace = new Workspace();
afterAll(() => workspace[Symbol.dispose]());

test('a tool that the configuration does not allow is listed, called, routed and sent to a model by no command', async () => {
  const { fix } = (
    JSON.parse(readFileSync(workspace.configuration, 'utf8')) as { mcpServers: { fix: object } }
  ).mcpServers;
  const entry = { ...fix, allowedTools: ['echo', 'f*', 'wait'], blockedTools: ['form'] };
  const file = workspace.directory.put('mcporter.json', JSON.stringify({ mcpServers: { fix: entry } }));
  const mcp = (args: readonly string[], input = '') =>
    runProgram(program, ['--config', file, ...args], { env: workspace.env, input });
  const listed = JSON.parse((await mcp(['--json', 'tools'])).stdout) as {
    fix: { tools: { name: string }[] };
  };
  expect(listed.fix.tools.map(({ name }) => name).toSorted()).toEqual(['echo', 'fail', 'wait']);
  for (const tool of ['picture', 'form']) {
    const refused = await mcp(['call', `fix.${tool}`]);
    expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining(`has no tool "${tool}"`) });
  }
  const block = `<use_mcp_tool><server_name>fix</server_name><tool_name>form</tool_name></use_mcp_tool>`;
  expect((await mcp(['route'], block)).stdout).toContain("Tool 'form' does not exist on server 'fix'");
  const message = {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't', name: 'fix__form', input: {} }],
  };
  const answered = await mcp(['call', '--from', 'anthropic'], JSON.stringify(message));
  expect(answered).toMatchObject({ code: 5, stdout: expect.stringContaining('There is no tool') });
});
