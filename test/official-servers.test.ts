import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Client, serverAt } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { describe, expect, inject, onTestFinished, test } from 'vitest';

// This repository's client against servers of the official SDK, as they are published.

const official = (path: string) => fileURLToPath(new URL(`official/${path}`, import.meta.url));
const packaged = (name: string) =>
  official(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
const started = (...args: string[]) =>
  serverCommand({ command: process.execPath, args, stderr: 'ignore', stopGraceMs: 1_000 });

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'mcp-official-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

describe.skipIf(!inject('official'))('over stdio, this client uses', () => {
  test('the official filesystem server', async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, 'note.txt'), 'first\n');
    await using client = await Client.connect(started(packaged('filesystem'), directory));
    expect(client.revision).toBe('2025-11-25');
    expect((await client.listTools()).map(({ name }) => name)).toContain('read_text_file');
    const result = await client.callTool('read_text_file', { path: join(directory, 'note.txt') });
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'first\n' }] });
  });

  test('the official memory server, whose structured content fits its schema', async () => {
    const env = { MEMORY_FILE_PATH: join(await temporaryDirectory(), 'memory.jsonl') };
    const args = [packaged('memory')];
    await using client = await Client.connect(
      serverCommand({ command: process.execPath, args, env, stderr: 'ignore' }),
    );
    await client.listTools();
    const entity = { name: 'Ann', entityType: 'person', observations: ['likes tea'] };
    await client.callTool('create_entities', { entities: [entity] });
    expect(await client.callTool('read_graph')).toMatchObject({ structuredContent: { entities: [entity] } });
  });

  test('the official everything server: its tools, resources, prompts, progress and sampling', async () => {
    const progress: number[] = [];
    await using client = await Client.connect(started(packaged('everything'), 'stdio'), {
      sample: () =>
        Promise.resolve({ role: 'assistant', content: { type: 'text', text: 'A sample' }, model: 'm' }),
    });
    const tools = (await client.listTools()).map(({ name }) => name);
    expect(tools).toContain('echo');
    expect(await client.callTool('echo', { message: 'Hi' })).toMatchObject({
      content: [{ text: 'Echo: Hi' }],
    });
    expect((await client.listPrompts()).length).toBeGreaterThan(0);
    const [resource] = await client.listResources();
    expect((await client.readResource(resource?.uri ?? '')).contents).toHaveLength(1);
    const long = tools.find((name) => /long-?running/i.test(name)) ?? '';
    await client.callTool(long, { duration: 1, steps: 2 }, { onProgress: (done) => progress.push(done) });
    expect(progress).toEqual([1, 2]);
    const sampling = tools.find((name) => /sampling/i.test(name)) ?? '';
    const sampled = await client.callTool(sampling, { prompt: 'Hello', maxTokens: 5 });
    expect(JSON.stringify(sampled)).toContain('A sample');
  });

  test('a server of the SDK of the second generation, at 2026-07-28', async () => {
    await using client = await Client.connect(started(official('echo-v2.mjs')));
    expect(client.revision).toBe('2026-07-28');
    expect(await client.callTool('echo')).toMatchObject({ content: [{ text: 'Hello' }] });
  });
});

describe.skipIf(!inject('official'))('over HTTP, this client uses', () => {
  test('the official everything server, in a session', async () => {
    const port = await freePort();
    const server = spawn(process.execPath, [packaged('everything'), 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void server.kill());
    const lines = createInterface({ input: server.stderr });
    await new Promise<void>((resolve) => lines.on('line', (line) => line.includes('listening') && resolve()));
    await using client = await Client.connect(serverAt(`http://127.0.0.1:${port}/mcp`));
    expect(client.revision).toBe('2025-11-25');
    expect(await client.callTool('echo', { message: 'Hi' })).toMatchObject({
      content: [{ text: 'Echo: Hi' }],
    });
  });

  test('a server of the SDK of the second generation, at 2026-07-28', async () => {
    const server = spawn(process.execPath, [official('echo-v2.mjs'), 'http'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void server.kill());
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    await using client = await Client.connect(serverAt(line.toString().trim()));
    expect(client.revision).toBe('2026-07-28');
    expect(await client.callTool('echo')).toMatchObject({ content: [{ text: 'Hello' }] });
  });
});

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}
