import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client, serverAt } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Collector } from '../../../test-kit/src/collector.ts';
import { bundledProgram } from '../../../test-kit/src/bundled-program.ts';
import { atEveryRevision } from '../every-revision.ts';

const source = fileURLToPath(new URL('serve-observed.ts', import.meta.url));
/** Where `@opentelemetry/sdk-node` is installed for this package. */
const installed = fileURLToPath(new URL('../../node_modules/@opentelemetry', import.meta.url));

let base: string;
let collector: Collector;

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-otel-')));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

beforeEach(async () => {
  collector = await Collector.start();
  return () => collector[Symbol.asyncDispose]();
});

interface Started {
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

/** The command that runs the program from its sources, where the SDK is installed. */
const command = ({ args = [], env = {} }: Started = {}) => ({
  command: process.execPath,
  args: ['--conditions=@mcp/source', source, '--otel', ...args],
  env: { ...collector.environment, ...env },
});

/** Calls the program over stdio; returns its lines on stderr. */
async function callOnce(started?: Started): Promise<string[]> {
  const lines: string[] = [];
  const stderr = (line: string) => lines.push(line);
  const client = await Client.connect(serverCommand({ ...command(started), stderr }));
  const { content } = await client.callTool('echo');
  expect(content).toEqual([{ type: 'text', text: 'Echo' }]);
  await client.close();
  return lines;
}

const names = () => collector.spans.map(({ kind, name }) => `${kind} ${name}`);

test('a program over stdio exports what is left when it ends', async () => {
  expect(await callOnce({ env: { OTEL_BSP_SCHEDULE_DELAY: '60000' } })).toEqual([]);
  expect(names()).toEqual(['server server/discover', 'server tools/call echo']);
  const [, call] = collector.spans;
  expect(call?.attributes).toMatchObject({
    'network.transport': 'pipe',
    'mcp.protocol.version': '2026-07-28',
  });
  expect(collector.histograms.map(({ name, count }) => [name, count])).toEqual([
    ['mcp.server.operation.duration', 1],
    ['mcp.server.operation.duration', 1],
  ]);
});

atEveryRevision((revision) => {
  test('the requests of a program over stdio travel through a pipe', async () => {
    const client = await Client.connect(serverCommand(command()), { revision });
    await client.callTool('echo');
    await client.close();
    const call = collector.spans.find(({ name }) => name === 'tools/call echo');
    expect(call?.attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'echo',
      'jsonrpc.request.id': expect.stringMatching(/^\d+$/) as string,
      'mcp.protocol.version': revision,
      'network.transport': 'pipe',
    });
  });
});

test('the resource names the service, and neither the command line nor the user', async () => {
  await callOnce({ args: ['--token', 'sk-secret'] });
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'echo', 'service.version': '1.2.3' });
  expect(Object.keys(collector.resources[0]!).filter((name) => /^(?:process|host)\./.test(name))).toEqual([]);
  for (const { body } of collector.requests) expect(body.toString()).not.toContain('sk-secret');
});

test('the standard variables of the environment are respected', async () => {
  await callOnce({
    env: {
      OTEL_SERVICE_NAME: 'mine',
      OTEL_RESOURCE_ATTRIBUTES: 'team=files',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=abc',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_METRICS_EXPORTER: 'none',
    },
  });
  expect(collector.requests).toHaveLength(1);
  const [{ path, headers, body }] = collector.requests as [Collector['requests'][0]];
  expect(path).toBe('/v1/traces');
  expect(headers).toMatchObject({ 'api-key': 'abc', 'content-type': 'application/x-protobuf' });
  for (const word of ['mine', 'team', 'files', 'tools/call echo']) expect(body.toString()).toContain(word);
});

test.each([
  ['OTEL_TRACES_SAMPLER', 'always_off', ['/v1/metrics']],
  ['OTEL_TRACES_EXPORTER', 'none', ['/v1/metrics']],
  ['OTEL_SDK_DISABLED', 'true', []],
])('with %s=%s, the requests are %j', async (name, value, paths) => {
  await callOnce({ env: { [name]: value } });
  expect(collector.requests.map(({ path }) => path)).toEqual(paths);
});

test('the messages of the SDK go to stderr', async () => {
  const lines = await callOnce({ env: { OTEL_LOG_LEVEL: 'all', OTEL_TRACES_EXPORTER: 'console' } });
  expect(lines.some((line) => line.startsWith('OpenTelemetry: '))).toBe(true);
  expect(lines.join('\n')).toContain("name: 'tools/call echo'");
});

test('over HTTP, a signal exports what is left', async () => {
  const { args, env } = command({ args: ['--http', '0'] });
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...env, OTEL_BSP_SCHEDULE_DELAY: '60000' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [line] = (await once(createInterface(child.stderr), 'line')) as [string];
  await using client = await Client.connect(serverAt(line.replace('Listening on ', '')));
  await client.callTool('echo');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(names()).toEqual(['server server/discover', 'server tools/call echo']);
});

test('a collector that does not answer delays neither calls nor the end', async () => {
  collector.answers = false;
  const start = performance.now();
  await callOnce({ env: { OTEL_EXPORTER_OTLP_TIMEOUT: '60000' } });
  expect(performance.now() - start).toBeLessThan(15_000);
  expect(collector.requests.length).toBeGreaterThan(0);
});

test('without a collector, calls work, and one line says why nothing is exported', async () => {
  const { url } = collector;
  await collector[Symbol.asyncDispose]();
  const lines = await callOnce({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_BSP_SCHEDULE_DELAY: '1',
      OTEL_METRIC_EXPORT_INTERVAL: '50',
      OTEL_METRIC_EXPORT_TIMEOUT: '50',
    },
  });
  collector = await Collector.start();
  expect(lines).toEqual([
    expect.stringMatching(/^OpenTelemetry: .+; OTEL_LOG_LEVEL=error shows later errors too$/),
  ]);
});

/** Installs the program in a `node_modules`; returns its path. */
function install(place: string): string {
  const directory = join(base, place, 'node_modules/@me/echo');
  mkdirSync(join(directory, 'dist'), { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "name": "@me/echo" }');
  cpSync(bundledProgram(source), join(directory, 'dist/main.mjs'));
  return join(directory, 'dist/main.mjs');
}

/** A package with the name of the SDK that says so when it is loaded. */
function plant(directory: string): void {
  const planted = join(base, directory, 'node_modules/@opentelemetry/sdk-node');
  mkdirSync(planted, { recursive: true });
  writeFileSync(join(planted, 'package.json'), '{ "name": "@opentelemetry/sdk-node", "main": "main.cjs" }');
  writeFileSync(join(planted, 'main.cjs'), `process.stderr.write('planted\\n')`);
}

async function refusal(program: string, { args = [], env = {}, cwd = base }: Started = {}) {
  const child = spawn(process.execPath, [program, '--otel', ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: child.exitCode ?? ((await once(child, 'exit'))[0] as unknown), stdout, stderr };
}

test('an SDK in the working directory, above the program or in NODE_PATH is not loaded', async () => {
  const program = install('above/place');
  plant('above');
  plant('working');
  const working = join(base, 'working');
  expect(await refusal(program, { cwd: working, env: { NODE_PATH: join(working, 'node_modules') } })).toEqual(
    {
      code: 2,
      stdout: '',
      stderr: [
        'echo: --otel needs the package @opentelemetry/sdk-node, installed with this program: npx -y -p @me/echo -p @opentelemetry/sdk-node echo --otel',
        'Run with --help for usage\n',
      ].join('\n'),
    },
  );
});

test('an SDK in an allowed directory is refused', async () => {
  const program = install('allowed');
  plant('allowed');
  const { code, stderr } = await refusal(program, { args: [join(base, 'allowed')] });
  expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
    code: 2,
    stderr: `echo: ${join(base, 'allowed/node_modules/@opentelemetry/sdk-node')} is not loaded, because it lies in the allowed directory ${join(base, 'allowed')}; install it outside`,
  });
});

test('an SDK beside the program is loaded', async () => {
  const program = install('beside');
  symlinkSync(installed, join(dirname(dirname(dirname(dirname(program)))), '@opentelemetry'), 'dir');
  const client = await Client.connect(
    serverCommand({ command: process.execPath, args: [program, '--otel'], env: collector.environment }),
  );
  await client.callTool('echo');
  await client.close();
  expect(names()).toEqual(['server server/discover', 'server tools/call echo']);
});
