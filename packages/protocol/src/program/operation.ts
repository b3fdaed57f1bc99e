import type { HttpOptions } from '../http/endpoint.ts';
import type { MetricsAddress } from '../http/operation/serve-metrics.ts';
import type { Given } from './options.ts';

interface Operation extends Pick<HttpOptions, 'health' | 'limits' | 'card'> {
  readonly metrics?: MetricsAddress;
}

/**
 * What the options for operation say, for a program that `runProgram` does not run; `description` is that of
 * the card. Rejects with an `Error` for a wrong value.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { operationOf } from '@mcp/protocol/command-line';
 * import { serveHttp } from '@mcp/protocol/http';
 *
 * const given = { flag: (name: string) => name === 'health', values: () => [] };
 * const options = await operationOf(given);
 * const listener = await serveHttp(defineServer({ name: 'example', version: '1.0.0' }), options);
 * await listener.close();
 * ```
 */
export async function operationOf(
  given: Pick<Given, 'flag' | 'values'>,
  description?: string,
): Promise<Operation> {
  // Loaded only here, because most servers are started over stdio.
  const { listenAddressOf } = await import('../http/adapters/listen.ts');
  const [address] = given.values('metrics');
  const metrics = address === undefined ? undefined : listenAddressOf(address);
  if (address !== undefined && (!metrics || !('port' in metrics)))
    throw new Error(`Invalid --metrics: ${JSON.stringify(address)}; expected [host:]port`);
  const [seconds] = given.values('drain');
  if (seconds !== undefined && !/^\d{1,4}$/.test(seconds))
    throw new Error(`Invalid --drain: ${JSON.stringify(seconds)}; expected seconds from 0 to 9999`);
  const [written] = given.values('card');
  const [, name = '', url = ''] = /^([^=]+)=(.+)$/.exec(written ?? '') ?? [];
  if (written !== undefined && (!name.includes('/') || !URL.canParse(url)))
    throw new Error(`Invalid --card: ${JSON.stringify(written)}; expected com.example/name=https://host/mcp`);
  return {
    ...(written !== undefined && { card: { name, url, ...(description !== undefined && { description }) } }),
    ...(given.flag('health') && { health: true }),
    ...(metrics && 'port' in metrics && { metrics }),
    ...(seconds !== undefined && { limits: { drainMs: Number(seconds) * 1_000 } }),
  };
}
