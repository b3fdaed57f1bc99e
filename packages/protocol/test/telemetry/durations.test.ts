import { Client, HttpChannel } from '@mcp/protocol/client';
import { serveHttp } from '@mcp/protocol/http';
import { openTelemetry } from '@mcp/protocol/telemetry';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { atEveryRevision } from '../every-revision.ts';
import { observedServer, secret } from './observed-server.ts';
import { Traces } from '../../../test-kit/src/traces.ts';

const observe = openTelemetry();
let traces: Traces;

beforeAll(async () => {
  traces = await Traces.start({ OTEL_TRACES_SAMPLER: 'always_off' });
});
afterAll(() => traces[Symbol.asyncDispose]());

/** The newest value of each time series of one end and revision. */
function series(end: 'client' | 'server', revision: string) {
  const newest = new Map(
    traces.collector.histograms
      .filter(
        ({ name, attributes }) =>
          name === `mcp.${end}.operation.duration` && attributes['mcp.protocol.version'] === revision,
      )
      .map((each) => [JSON.stringify(each.attributes), each]),
  );
  return [...newest.values()];
}

atEveryRevision((revision) => {
  test('both ends record durations, with the boundaries of the conventions', async () => {
    const listener = await serveHttp(observedServer(observe));
    const { hostname, port } = new URL(listener.url);
    const client = await Client.connect(new HttpChannel(listener.url), { observe, revision });
    await client.callTool('echo', { text: secret });
    await client.callTool('echo', { text: secret });
    await client.callTool('fail');
    await client.readResource(`note:///${secret}`);
    await expect(client.callTool(secret)).rejects.toThrow('Unknown tool');
    await expect(client.request(secret)).rejects.toThrow('No method');
    await client.close();
    await listener.close();
    const network = {
      'mcp.protocol.version': revision,
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
    };
    const call = { 'mcp.method.name': 'tools/call', 'gen_ai.operation.name': 'execute_tool' };
    for (const end of ['client', 'server'] as const) {
      const common =
        end === 'client' ? { ...network, 'server.address': hostname, 'server.port': Number(port) } : network;
      const expected = [
        { count: 2, attributes: { ...common, ...call, 'gen_ai.tool.name': 'echo' } },
        {
          count: 1,
          attributes: { ...common, ...call, 'gen_ai.tool.name': 'fail', 'error.type': 'tool_error' },
        },
        { count: 1, attributes: { ...common, 'mcp.method.name': 'resources/read' } },
        {
          count: 1,
          attributes: {
            ...common,
            ...call,
            'gen_ai.tool.name': '_OTHER',
            'error.type': '-32602',
            'rpc.response.status_code': '-32602',
          },
        },
        {
          count: 1,
          attributes: {
            ...common,
            'mcp.method.name': '_OTHER',
            'error.type': '-32601',
            'rpc.response.status_code': '-32601',
          },
        },
      ];
      await expect
        .poll(() => series(end, revision).map(({ attributes, count }) => ({ attributes, count })))
        .toEqual(expect.arrayContaining(expected));
      for (const { unit, bounds } of series(end, revision)) {
        expect(unit).toBe('s');
        expect(bounds).toEqual([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]);
      }
    }
    expect(JSON.stringify(traces.collector.histograms)).not.toContain(secret);
  });
});

test('without sampling, no span is exported', () => {
  expect(traces.collector.histograms.length).toBeGreaterThan(0);
  expect(traces.collector.spans).toEqual([]);
});
