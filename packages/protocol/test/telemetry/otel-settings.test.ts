import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { Collector } from '../../../test-kit/src/collector.ts';

const source = fileURLToPath(new URL('serve-observed.ts', import.meta.url));

let collector: Collector;

beforeEach(async () => {
  collector = await Collector.start();
  return () => collector[Symbol.asyncDispose]();
});

/** Calls a program with `--otel` and these variables; returns its lines on stderr. */
async function linesWith(variables: Record<string, string>): Promise<string[]> {
  const lines: string[] = [];
  const client = await Client.connect(
    serverCommand({
      command: process.execPath,
      args: ['--conditions=@mcp/source', source, '--otel'],
      env: { ...collector.environment, ...variables },
      stderr: (line) => lines.push(line),
    }),
  );
  expect((await client.callTool('echo')).content).toEqual([{ type: 'text', text: 'Echo' }]);
  await client.close();
  return lines;
}

const headers = 'OTEL_EXPORTER_OTLP_HEADERS';

test('one line names all settings that have no effect, and no value of a header', async () => {
  const lines = await linesWith({
    OTEL_TRACES_SAMPLER: 'sometimes',
    OTEL_TRACES_SAMPLER_ARG: '0.5',
    OTEL_EXPORTER_OTLP_TIMEOUT: '10s',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'zstd',
    OTEL_PROPAGATORS: 'b4',
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_CONFIG_FILE: '/etc/otel.yaml',
    OTEL_RESOURCE_ATTRIBUTES: 'team=files,place=100%',
    [headers]: 'api-key=SECRET%zz,SECRET,x-empty=, x-part=SECRET;SECRET,x-good=a%20b',
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^OpenTelemetry: /);
  expect(lines[0]).not.toContain('SECRET');
  const messages = lines[0]!.slice('OpenTelemetry: '.length).split('; ');
  expect(messages).toEqual([...new Set(messages)]);
  for (const message of [
    'OTEL_CONFIG_FILE has no effect: files of settings are not read',
    'OTEL_LOGS_EXPORTER has no effect: no logs are exported',
    'OTEL_TRACES_SAMPLER_ARG has no effect: OTEL_TRACES_SAMPLER is neither traceidratio nor parentbased_traceidratio',
    'OTEL_RESOURCE_ATTRIBUTES has no effect: expected key=value,key=value with percent-encoding of "," and "="',
    `${headers}: "api-key" is not sent, because its value is not valid percent-encoding`,
    `${headers}: entry 2 is not sent, because it is not name=value`,
    `${headers}: entry 3 is not sent, because it is not name=value`,
    `${headers}: the value of "x-part" is sent only up to its ";"`,
  ])
    expect(messages).toContain(message);
  for (const text of ['"sometimes"', "'10s' for OTEL_EXPORTER_OTLP_TIMEOUT", "'zstd'", 'Propagator "b4"'])
    expect(lines[0]).toContain(text);
  expect(collector.requests[0]!.headers).toMatchObject({ 'x-good': 'a b', 'x-part': 'SECRET' });
  expect(collector.resources[0]).not.toHaveProperty('team');
});

test.each([
  [{ OTEL_SDK_DISABLED: '1' }, ["Unknown value '1' for OTEL_SDK_DISABLED"]],
  [
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'htp' },
    ['Unsupported OTLP metrics protocol: "htp"', 'Using http/protobuf'],
  ],
  [{ OTEL_TRACES_EXPORTER: 'otpl' }, ['Unrecognized OTEL_TRACES_EXPORTER value: otpl']],
  [{ OTEL_LOG_LEVEL: 'loud' }, ['OTEL_LOG_LEVEL must be one of none, error, warn']],
])('the wrong setting %j is one line', async (variables, texts) => {
  const lines = await linesWith(variables);
  expect(lines).toHaveLength(1);
  for (const text of texts) expect(lines[0]).toContain(text);
});

test.each([[{ OTEL_LOG_LEVEL: 'error' }], [{ OTEL_LOG_LEVEL: 'none' }], [{ OTEL_SDK_DISABLED: 'TRUE' }]])(
  'with %j, the settings are not judged',
  async (variables) => {
    expect(await linesWith({ ...variables, OTEL_LOGS_EXPORTER: 'otlp', [headers]: 'SECRET' })).toEqual([]);
  },
);

test.each([
  [{ OTEL_TRACES_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' }],
  [{ OTEL_METRICS_EXPORTER: 'none', OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' }],
  [{ OTEL_RESOURCE_ATTRIBUTES: ' a=1, b=%2C,', [headers]: 'a=b%3B, c=d=e', OTEL_EXPORTER_OTLP_PROTOCOL: '' }],
])('the settings %j are not mentioned', async (variables) => {
  expect(await linesWith(variables)).toEqual([]);
});

test('an endpoint without http is named, and its password is in no line', async () => {
  const bad = await linesWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://ada:SECRET@localhost:4318' });
  expect(bad[0]).toBe('OpenTelemetry: OTEL_EXPORTER_OTLP_ENDPOINT must begin with http:// or https://');
  const worse = await linesWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://ada:SECRET@ no host' });
  expect(worse[0]).toContain('Could not parse');
  for (const line of [...bad, ...worse]) expect(line).not.toContain('SECRET');
});

test('a header that cannot be sent is named without its value, also with gRPC', async () => {
  const wrong = { [headers]: 'api-key=SECRET€' };
  const lines = await linesWith(wrong);
  const reason =
    'nothing is exported, because the value of "api-key" has a character that a header cannot have';
  expect(lines[0]).toBe(`OpenTelemetry: ${headers}: ${reason}`);
  expect(lines.join()).not.toContain('SECRET');
  const failed = await linesWith({ ...wrong, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }).catch(String);
  expect(failed).toContain('OpenTelemetry cannot start: ');
  expect(String(failed)).not.toContain('SECRET');
});

test('gRPC is a protocol of exports', async () => {
  const paths: (string | undefined)[] = [];
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  server.on('stream', (stream, { ':path': path }) => {
    paths.push(path);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    // An empty message: not compressed, of length 0.
    stream.resume().on('end', () => stream.end(Buffer.alloc(5)));
  });
  const { port } = server.address() as AddressInfo;
  const lines = await linesWith({
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  });
  expect(lines).toEqual([]);
  expect(new Set(paths)).toEqual(
    new Set(
      ['trace.v1.TraceService', 'metrics.v1.MetricsService'].map(
        (name) => `/opentelemetry.proto.collector.${name}/Export`,
      ),
    ),
  );
});
