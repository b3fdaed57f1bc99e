import { fileURLToPath } from 'node:url';
import type { Client } from '@mcp/protocol/client';
import { openTelemetry } from '@mcp/protocol/telemetry';
import { Traces, treeOf } from '@mcp/test-kit/traces';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GatewayProgram, textOf } from './gateway-program.ts';

// From its sources, because the SDK is installed for the package of this program.
const source = fileURLToPath(new URL('../../../protocol/test/telemetry/serve-observed.ts', import.meta.url));
const observe = openTelemetry();

let traces: Traces;
beforeAll(async () => {
  traces = await Traces.start();
});
afterAll(() => traces[Symbol.asyncDispose]());

/** A gateway in front of a server that exports too. */
function gatewayOf(...args: string[]): GatewayProgram {
  const { environment } = traces.collector;
  const server = {
    command: process.execPath,
    args: ['--conditions=@mcp/source', source, '--otel'],
    env: environment,
  };
  const gateway = new GatewayProgram({ far: server }, ...args);
  gateway.addEnvironment(environment);
  return gateway;
}

const echo = async (client: Client) => expect(textOf(await client.callTool('far__echo'))).toBe('Echo');

describe.each(['2026-07-28', '2025-11-25'])('at %s', (revision) => {
  test.each(['stdio', 'http'] as const)(
    'a call over %s is one trace through the gateway',
    async (transport) => {
      await using gateway = gatewayOf('--otel');
      const client = await gateway[transport]({ revision, observe });
      const ours = 'internal test > client tools/call far__echo';
      const inGateway = `${ours} > server tools/call far__echo`;
      const toServer = `${inGateway} > client tools/call echo`;
      // The first call also starts the server.
      await echo(client);
      const spans = await traces.of(4, () => echo(client));
      expect(treeOf(spans)).toEqual(
        ['internal test', ours, inGateway, toServer, `${toServer} > server tools/call echo`].sort(),
      );
      expect(spans.map(({ kind, service }) => [kind, service])).toEqual(
        expect.arrayContaining([
          ['server', 'mcp'],
          ['client', 'mcp'],
          ['server', 'echo'],
        ]),
      );
    },
  );

  test('calls at the same time are traces of their own', async () => {
    await using gateway = gatewayOf('--otel');
    const client = await gateway.http({ revision, observe });
    await echo(client);
    const all = await Promise.all(Array.from({ length: 8 }, () => traces.of(4, () => echo(client))));
    for (const spans of all) {
      expect(new Set(spans.map(({ parentSpanId }) => parentSpanId)).size).toBe(5);
      expect(spans.map(({ name }) => name).sort()).toEqual(
        ['test', 'tools/call echo', 'tools/call echo', 'tools/call far__echo', 'tools/call far__echo'].sort(),
      );
    }
  });

  test('a gateway without telemetry passes the trace on', async () => {
    await using gateway = gatewayOf();
    const client = await gateway.http({ revision, observe });
    await echo(client);
    const spans = await traces.of(2, () => echo(client));
    const ours = 'internal test > client tools/call far__echo';
    expect(treeOf(spans)).toEqual(['internal test', ours, `${ours} > server tools/call echo`]);
  });
});

test('the gateway exports what is left when it ends', async () => {
  await using gateway = gatewayOf('--otel');
  gateway.addEnvironment({ OTEL_BSP_SCHEDULE_DELAY: '60000', OTEL_SERVICE_NAME: 'ended' });
  await echo(await gateway.http());
  expect(await gateway.terminate()).toBe(0);
  const exported = traces.collector.spans.filter(({ service }) => service === 'ended');
  expect(exported.map(({ kind, name }) => `${kind} ${name}`)).toEqual(
    expect.arrayContaining(['server tools/call far__echo', 'client tools/call echo']),
  );
  expect(gateway.lines.filter((line) => !line.startsWith('Listening on '))).toEqual([]);
});

test('a collector that does not answer delays neither calls nor the end', async () => {
  await using gateway = gatewayOf('--otel');
  traces.collector.answers = false;
  try {
    await echo(await gateway.http());
    const start = performance.now();
    expect(await gateway.terminate()).toBe(0);
    expect(performance.now() - start).toBeLessThan(8_000);
  } finally {
    traces.collector.answers = true;
  }
});
