import { linkSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Client } from '@mcp/protocol/testing';
import { run } from '../../program.ts';
import { callTool, Workspace } from '../../workspace.ts';

const commands = {
  tool: { description: '-', argv: ['node', 'dir/tool.mjs'] },
  script: { description: '-', script: 'test' },
};
const secret = 'root:x:0:0:secret';

let workspace: Workspace;
let outside: string;

beforeEach(() => {
  const made = new Workspace(commands);
  workspace = made;
  outside = made.write(join(made.base, 'private/tool.mjs'), `${secret}\n`);
  mkdirSync(join(made.project, 'dir'));
  return () => made[Symbol.dispose]();
});

async function answerOf(client: Client, tool = 'tool'): Promise<string> {
  const { text, isError } = await callTool(client, tool);
  expect(isError).toBe(true);
  expect(text).not.toContain('root:');
  return text;
}

test('a link that leads outside shows the caller nothing of the content, and the operator all', async () => {
  symlinkSync(outside, join(workspace.project, 'dir/tool.mjs'));
  await using client = await workspace.connect();
  expect(await answerOf(client)).toContain(
    `dir/tool.mjs is not allowed yet:\nits content is not shown here, because a symbolic link leads to "${outside}", which is outside the writable directories\nNothing was run.`,
  );
  expect((await run(['allow', workspace.file, 'tool'], { input: 'n\n' })).stdout).toContain(`+${secret}`);
});

test('neither does a link in a directory above, nor a hard link', async () => {
  rmSync(join(workspace.project, 'dir'), { recursive: true });
  symlinkSync('../private', join(workspace.project, 'dir'));
  await using client = await workspace.connect();
  expect(await answerOf(client)).toContain('a symbolic link leads to');
  rmSync(join(workspace.project, 'dir'));
  mkdirSync(join(workspace.project, 'dir'));
  linkSync(outside, join(workspace.project, 'dir/tool.mjs'));
  expect(await answerOf(client)).toContain('it has 2 hard links, which may be outside');
});

test('a difference shows neither the new nor the allowed content of a file outside', async () => {
  const tool = workspace.put('dir/tool.mjs', 'one\n');
  workspace.put('package.json', '{ "scripts": { "test": "true" } }');
  await workspace.allow();
  await using client = await workspace.connect();
  rmSync(tool);
  symlinkSync(outside, tool);
  expect(await answerOf(client)).toContain(
    `leads to "${outside}", not to "${tool}"\nits content is not shown`,
  );
  await workspace.allow();
  rmSync(tool);
  workspace.put('dir/tool.mjs', 'two\n');
  expect(await answerOf(client)).toContain(`leads to "${tool}", not to "${outside}"\n+two\n`);
});

test('a package.json that leads outside shows neither its content nor the names of its scripts', async () => {
  const manifest = join(workspace.project, 'package.json');
  symlinkSync(outside, manifest);
  await using client = await workspace.connect();
  expect(await answerOf(client, 'script')).toContain('It is not valid JSON, and a symbolic link leads to');
  workspace.write(outside, JSON.stringify({ scripts: { 'root:tset': '' } }));
  expect(await answerOf(client, 'script')).toContain('No script "test" in');
  workspace.write(outside, JSON.stringify({ scripts: { test: secret } }));
  expect(await answerOf(client, 'script')).toContain('its content is not shown here');
});
