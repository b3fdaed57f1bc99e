import type { CommandInput } from '../../command-line/command.ts';
import { printedCommand } from '../../printed-command.ts';
import { type Cost, measureCost } from './measure.ts';
import { countText, numberText } from './number-text.ts';
import { TokenCounts } from './token-counts.ts';

type HeadlineInput = Pick<CommandInput, 'configuration' | 'servers' | 'directories' | 'output'>;

/**
 * One sentence about all servers: where they are configured, and what their tools cost in each request. It is
 * made from the cached lists and the kept counts: no server is started, and no tokenizer is loaded.
 */
export async function headline({
  configuration,
  servers,
  directories,
  output,
}: HeadlineInput): Promise<string> {
  const { names } = servers;
  const enabled = configuration.servers.filter(({ name }) => names.includes(name));
  const hosts = [...new Set(enabled.map(({ format }) => format.title))].join(', ');
  if (names.length === 0) return `${countText(configuration.servers.length, 'server')}, all disabled`;
  const counts = new TokenCounts(directories.cache, (message) => output.warning(message));
  const count = counts.keptOrEstimated.bind(counts);
  const cost = await measureCost(servers, { names, vendor: 'openai', count });
  return `${countText(names.length, 'server')} in ${hosts}: ${costText(cost)}`;
}

function costText({ servers, notCounted, tools, tokens, lazy, counting }: Cost): string {
  const start = printedCommand('cost', '--start');
  const others = notCounted.filter(({ error }) => !error).length;
  if (servers.length === 0)
    return others === 0
      ? 'no entry can be used'
      : `tools are not counted yet; ${start} starts and counts them`;
  const about = counting === 'bytes' ? 'about ' : '';
  const of = notCounted.length === 0 ? '' : ` of ${countText(servers.length, 'server')}`;
  const rest = others === 0 ? '' : `; ${start} counts ${others === 1 ? 'one other' : `${others} others`}`;
  const listed = `${countText(tools, 'tool')}${of}, ${about}${countText(tokens, 'token')} in each request`;
  return `${listed}; as ${printedCommand('serve', '--lazy')}: ${about}${numberText(lazy.tokens)}${rest}`;
}
