import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, serverAt } from '@mcp/protocol/client';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

// `mcp serve` between servers and clients that others have written, as they are published.

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const mcp = file('../packages/host/dist/main.cjs');
const official = (name: string) =>
  file(`official/node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
const own = (name: string) => file(`../servers/${name}/dist/main.cjs`);
const node = (...args: string[]) => ({ command: process.execPath, args });

describe.skipIf(!inject('official'))('the gateway', () => {
  let directory: string;
  let env: Record<string, string>;
  let configuration: string;
  let url: string;
  let stop = async () => {};

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mcp-gateway-'));
    await writeFile(join(directory, 'note.txt'), 'first\n');
    configuration = join(directory, 'mcp.json');
    const memory = {
      ...node(official('memory')),
      env: { MEMORY_FILE_PATH: join(directory, 'memory.jsonl') },
    };
    const mcpServers = {
      files: node(official('filesystem'), directory),
      memory,
      everything: node(official('everything'), 'stdio'),
      sandbox: node(own('filesystem'), directory),
      database: node(own('sqlite')),
      weather: node(own('weather'), '--demo'),
    };
    await writeFile(configuration, JSON.stringify({ mcpServers }));
    env = {
      PATH: process.env['PATH'] ?? '',
      HOME: directory,
      XDG_STATE_HOME: directory,
      XDG_CACHE_HOME: directory,
    };
    const gateway = spawn(process.execPath, [mcp, '--config', configuration, 'serve', '--http', '0'], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    stop = async () => {
      const exited = once(gateway, 'exit');
      gateway.kill();
      // Until then its servers write their compiled code into the directory.
      await exited;
    };
    url = await new Promise<string>((resolve) => {
      createInterface(gateway.stderr).on('line', (line) => {
        const [, address] = /^Listening on (.+)$/.exec(line) ?? [];
        if (address !== undefined) resolve(address);
      });
    });
  });

  afterAll(async () => {
    await stop();
    await rm(directory, { recursive: true, force: true });
  });

  test.each(['2025-11-25', '2026-07-28'])(
    'serves official servers and ours to a client of %s',
    async (version) => {
      const answers: string[] = [];
      await using client = await Client.connect(serverAt(url), {
        revision: version,
        roots: () => Promise.resolve([{ uri: `file://${directory}` }]),
        sample: () =>
          Promise.resolve({ role: 'assistant', content: { type: 'text', text: 'A sample' }, model: 'm' }),
      });
      const text = async (name: string, args: Parameters<Client['callTool']>[1]) => {
        const { content } = await client.callTool(name, args);
        answers.push(JSON.stringify(content[0]));
        return answers.at(-1);
      };
      const tools = (await client.listTools()).map(({ name }) => name);
      expect(tools).toEqual(
        expect.arrayContaining(['files__read_text_file', 'memory__read_graph', 'weather__get_forecast']),
      );
      const path = join(directory, 'note.txt');
      expect(await text('files__read_text_file', { path })).toContain('first');
      expect(await text('sandbox__read_text_file', { path })).toContain('first');
      expect(await text('everything__echo', { message: 'Hi' })).toContain('Echo: Hi');
      const entity = { name: `Ann ${version}`, entityType: 'person', observations: ['likes tea'] };
      await client.callTool('memory__create_entities', { entities: [entity] });
      expect(await client.callTool('memory__read_graph')).toMatchObject({
        structuredContent: {
          entities: expect.arrayContaining([expect.objectContaining({ name: entity.name })]),
        },
      });
      expect(await text('database__query', { sql: 'SELECT 6 * 7 AS answer' })).toContain('42');
      const resources = (await client.listResources()).map(({ uri }) => uri);
      const document = resources.find((uri) => uri.startsWith('demo://resource/static/document/')) ?? '';
      expect((await client.readResource(document)).contents[0]).toMatchObject({ uri: document });
      const sampling = tools.find((name) => name.startsWith('everything__trigger-sampling')) ?? '';
      expect(await text(sampling, { prompt: 'Hi', maxTokens: 5 })).toContain('A sample');
    },
  );

  const run = async (program: string, args: readonly string[]) => {
    const bin = file(`official/node_modules/.bin/${program}`);
    return (
      await promisify(execFile)(bin, [...args], { env: { ...env, MCP_INSPECTOR_SECRET_STORE: 'memory' } })
    ).stdout;
  };

  test("the Inspector's command line calls tools over HTTP and lists them over stdio", async () => {
    const http = [url, '--transport', 'http'];
    const hosts = join(directory, 'inspector.json');
    const gateway = node(mcp, '--config', configuration, 'serve', '--servers', 'sandbox,database');
    await writeFile(hosts, JSON.stringify({ mcpServers: { gateway } }));
    const stdio = ['--config', hosts, '--server', 'gateway'];
    const call = ['--method', 'tools/call', '--tool-name', 'everything__echo', '--tool-arg', 'message=Hi'];
    const [listed, called] = await Promise.all([
      run('mcp-inspector', ['--cli', ...stdio, '--method', 'tools/list']),
      run('mcp-inspector', ['--cli', ...http, ...call]),
    ]);
    expect(listed).toContain('"name": "database__query"');
    expect(called).toContain('Echo: Hi');
  });

  test('mcporter lists tools over HTTP and calls them over stdio', async () => {
    const config = join(directory, 'mcporter.json');
    const stdio = node(mcp, '--config', configuration, 'serve', '--servers', 'sandbox');
    await writeFile(config, JSON.stringify({ mcpServers: { http: { url }, stdio } }));
    const [listed, called] = await Promise.all([
      run('mcporter', ['--config', config, 'list', 'http']),
      run('mcporter', ['--config', config, 'call', 'stdio.sandbox__read_text_file', 'path=note.txt']),
    ]);
    expect(listed).toContain('function everything__echo(');
    expect(called).toContain('first');
  });
});
