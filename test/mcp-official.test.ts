import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { repository } from './server-program.ts';

// The command mcp with a server of the official SDK, as it is published.

const everything = join(
  repository,
  'test/official/node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
const mcp = join(repository, 'packages/host/dist/main.cjs');

/** `mcp shell` with the official server, line by line. */
function shell(...options: string[]) {
  const home = mkdtempSync(join(tmpdir(), 'mcp-official-shell-'));
  const child = spawn(
    process.execPath,
    [mcp, 'shell', ...options, '--', process.execPath, everything, 'stdio'],
    {
      env: { PATH: process.env['PATH'] ?? '', HOME: home },
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    home,
    /** Runs a command, and returns its first line. */
    async first(command: string): Promise<string> {
      child.stdin.write(`${command}\n`);
      return String((await lines.next()).value);
    },
    async ended(): Promise<unknown> {
      child.stdin.end();
      const [code] = await once(child, 'exit');
      return code;
    },
  };
}

describe.skipIf(!inject('official'))('mcp drives the official everything server', () => {
  test('its tasks of 2025-11-25 are started, listed, read and cancelled', async () => {
    const session = shell();
    const [, id = ''] = /^(\w+) {2}working/.exec(
      await session.first('call simulate-research-query topic=tea --task'),
    )!;
    expect(JSON.parse(await session.first('--json task list'))).toMatchObject({
      tasks: [{ taskId: id, status: 'working', ttl: 300_000 }],
    });
    expect(await session.first(`task get ${id}`)).toContain(`${id}  working`);
    expect(await session.first(`task cancel ${id}\ntask get ${id}`)).toContain(`${id}  cancelled`);
    expect(await session.ended()).toBe(0);
  });

  test('its sampling, completion, prompts and images have the same commands', async () => {
    const response = JSON.stringify({
      role: 'assistant',
      model: 'm',
      content: { type: 'text', text: 'blue' },
    });
    const session = shell('--sampling', `echo '${response}'`);
    expect(await session.first('--json call trigger-sampling-request prompt=Hi')).toContain(
      'LLM sampling result',
    );
    expect(await session.first(`--json complete completable-prompt department=E`)).toContain('Engineering');
    expect(await session.first('--json prompt simple-prompt')).toContain('"messages":[');
    await session.first(`--json call get-tiny-image --save '${session.home}/images'`);
    expect(readdirSync(join(session.home, 'images'))).toEqual(['get-tiny-image.png']);
    expect(await session.ended()).toBe(0);
  });
});

const official = join(repository, 'test/official/node_modules');
const script = (path: string, ...args: string[]) => ({
  command: process.execPath,
  args: [join(official, path), ...args],
});

describe.skipIf(!inject('official'))('mcp drives servers of other authors', () => {
  test('their tools are listed together and called, without a network', async () => {
    using home = new TemporaryDirectory('mcp-peers');
    const mcpServers = {
      files: script('@modelcontextprotocol/server-filesystem/dist/index.js', home.root),
      memory: {
        ...script('@modelcontextprotocol/server-memory/dist/index.js'),
        env: { MEMORY_FILE_PATH: join(home.base, 'memory.jsonl') },
      },
      thinking: script('@modelcontextprotocol/server-sequential-thinking/dist/index.js'),
      context7: script('@upstash/context7-mcp/dist/index.js'),
    };
    home.put('a.txt', 'one\n');
    const file = home.put('mcp.json', JSON.stringify({ mcpServers }));
    const env = { PATH: process.env['PATH'] ?? '', HOME: home.base };
    const run = (...args: string[]) => runProgram(mcp, ['--config', file, ...args], { env });
    const { stdout, code } = await run('--json', 'tools');
    expect(code).toBe(0);
    const names = Object.entries(JSON.parse(stdout) as Record<string, { tools: { name: string }[] }>).map(
      ([server, { tools }]): [string, string[]] => [server, tools.map(({ name }) => name)],
    );
    expect(Object.fromEntries(names)).toMatchObject({
      files: expect.arrayContaining(['read_text_file', 'edit_file']),
      memory: expect.arrayContaining(['create_entities', 'read_graph']),
      thinking: ['sequentialthinking'],
      context7: expect.arrayContaining(['resolve-library-id']),
    });
    expect((await run('call', 'files.read_text_file', `path=${join(home.root, 'a.txt')}`)).stdout).toContain(
      'one',
    );
    const entities = '[{"name":"tea","entityType":"drink","observations":["hot"]}]';
    expect((await run('call', 'memory.create_entities', `entities:=${entities}`)).code).toBe(0);
    expect((await run('call', 'memory.read_graph')).stdout).toContain('tea');
    const wrong = await run('call', 'thinking.sequentialthinking', 'thought=a', 'thoughtNumber=x');
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('Invalid thoughtNumber: "x"') });
  });
});
