import { messageOf } from '@mcp/kit';
import type { JsonLog } from '@mcp/protocol/command-line';
import type { ListenOptions } from '@mcp/protocol/http';
import type { OptionSpec } from '../../command-line/command.ts';
import { type OptionValues, valueOf } from '../../command-line/command.ts';
import { usageError } from '../../errors.ts';

/** The options for the operation of a gateway over HTTP. */
export const operationOptions: readonly OptionSpec[] = [
  { name: 'health', help: 'answer the probes /healthz and /readyz over HTTP, without a token' },
  {
    name: 'metrics',
    value: '[host:]port',
    help: 'serve metrics for Prometheus at /metrics of this port; the default host is 127.0.0.1',
  },
  {
    name: 'drain',
    value: 'seconds',
    help: 'after SIGTERM, answer requests for this long while /readyz fails; the default is 0',
  },
  {
    name: 'card',
    value: 'name=url',
    help: 'publish a card of the gateway to everybody: com.example/name=https://mcp.example.com/mcp',
  },
];

/** What these options say. Rejects with a usage error for a wrong value. */
export async function operationOf(
  options: OptionValues,
): Promise<Pick<ListenOptions, 'health' | 'metrics' | 'limits' | 'card'>> {
  if (!operationOptions.some(({ name }) => options[name] !== undefined)) return {};
  const { operationOf: read } = await import('@mcp/protocol/command-line');
  const values = (name: string) => [valueOf(options, name) ?? []].flat();
  const description = 'Several MCP servers as one';
  return read({ flag: (name) => options[name] !== undefined, values }, description).catch(
    (error: unknown) => {
      throw usageError(messageOf(error));
    },
  );
}

/** Rejects options that have no effect over stdio. */
export function refuseOverStdio(options: OptionValues): void {
  const used = operationOptions.find(({ name }) => options[name] !== undefined);
  if (used) throw usageError(`The option "--${used.name}" has no effect without --http`);
}

/** The log of `--log-json`; undefined without it. */
export async function logOf(options: OptionValues): Promise<JsonLog | undefined> {
  if (options['log-json'] === undefined) return undefined;
  const program = await import('@mcp/protocol/command-line');
  return new program.JsonLog();
}
