import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from '@mcp/test-kit';
import { afterAll, expect, test } from 'vitest';
import { program, Workspace } from './workspace.ts';

const script = fileURLToPath(new URL('hostile-server.mjs', import.meta.url));
const workspace = new Workspace();
const { env } = workspace;
afterAll(() => workspace[Symbol.dispose]());

/** Line breaks and tabs, and no other character that controls a terminal or cannot be seen. */
const harmless = /^(?:[\n\t]|[^\p{Cc}\u202a-\u202e])*$/u;

const hostileName = 'evil\u001b]0;owned\u0007\u009b2J\u202e';
const root = join(workspace.directory.root, 'project\u001b]0;owned\u0007\u009b2J');
mkdirSync(root);

/** Runs `mcp` in a project whose directory and server have hostile names, with this fault of the server. */
async function mcp(fault: string, ...args: readonly string[]) {
  const mcpServers = { [hostileName]: { command: process.execPath, args: [script, fault] } };
  writeFileSync(join(root, '.mcp.json'), JSON.stringify({ mcpServers }));
  writeFileSync(join(root, 'opencode.json'), '{');
  const { stdout, stderr } = await runProgram(program, ['--yes', ...args], { env, cwd: root });
  return { stdout, stderr };
}

test.each([
  ['rubbish', ['list']],
  ['rubbish', ['tools']],
  ['names with escapes', ['tools', hostileName]],
  ['names with escapes', ['tools', '--format', 'gemini']],
  ['names with escapes', ['trust', hostileName]],
  ['names with escapes', ['--json', 'tools']],
  ['error in a list', ['tools', '--format', 'openai']],
  ['error in a list', ['--json', 'tools', hostileName]],
  ['error with escapes', ['ping']],
  ['dies', ['ping', '--log', 'debug']],
  ['rubbish', ['config', 'path']],
  ['rubbish', ['config', 'explain', hostileName]],
  ['rubbish', ['--json', 'config', 'explain', hostileName]],
  ['names with escapes', ['doctor', '--timeout', '3']],
])('nothing that mcp prints controls a terminal: server "%s", mcp %j', async (fault, args) => {
  const { stdout, stderr } = await mcp(fault, ...args);
  expect(stdout.length + stderr.length).toBeGreaterThan(0);
  expect(stdout).toMatch(harmless);
  expect(stderr).toMatch(harmless);
});

test('JSON has the characters of the server, escaped', async () => {
  const listed = JSON.parse((await mcp('names with escapes', '--json', 'tools')).stdout) as object;
  expect(Object.keys(listed)).toEqual([hostileName]);
});
