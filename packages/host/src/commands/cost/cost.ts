import { vendorNames } from '@mcp/vendors';
import { type Command, type CommandInput, valueOf } from '../../command-line/command.ts';
import { exitCodes } from '../../errors.ts';
import { eachServer, exitCodeOf, type ServerResult } from '../../views/each-server.ts';
import { noteWithoutServers } from '../../views/no-servers.ts';
import type { Definition } from './definitions.ts';
import { hasTokenizer } from './counting.ts';
import type { Cost } from './measure.ts';

export const cost: Command = {
  name: 'cost',
  usage: '[server…]',
  help: 'the tokens that the tools of each server take in each request to a model, from the lists that were read last; starts none',
  words: ['server'],
  options: [
    { name: 'start', help: 'starts the servers, reads their lists, and counts them' },
    {
      name: 'format',
      value: 'vendor',
      help: 'counts the tools in the form of this vendor; openai by default, whose tokenizer is used',
      choices: vendorNames,
    },
  ],
  async run(input) {
    const { options, servers, positionals, directories, output } = input;
    noteWithoutServers(input);
    // `resolve` rejects for a name that is unknown or disabled.
    for (const name of positionals) if (!servers.names.includes(name)) await servers.resolve(name);
    const names = positionals.length > 0 ? [...new Set(positionals)] : servers.names;
    if (names.length === 0) return exitCodes.ok;
    // Imported only here, so that other commands start faster.
    const [{ measureCost }, { costJson, printCost }, { estimatedCounts, TokenCounts }] = await Promise.all([
      import('./measure.ts'),
      import('./print-cost.ts'),
      import('./token-counts.ts'),
    ]);
    const started = options['start'] === true ? await readLists(names, input) : [];
    const vendor = vendorNames.find((each) => each === valueOf(options, 'format')) ?? 'openai';
    const counts = new TokenCounts(directories.cache, (message) => output.warning(message));
    const count = hasTokenizer(vendor)
      ? (definitions: readonly Definition[]) => counts.count(definitions)
      : estimatedCounts;
    const measured = await measureCost(servers, { names, vendor, count });
    const failures = new Map(started.flatMap(({ server, error }) => (error ? [[server, error]] : [])));
    const cost = withFailures(measured, failures);
    if (output.json) output.value(costJson(cost, vendor));
    else printCost(cost, vendor, { isStarted: options['start'] === true }, output);
    return exitCodeOf(started);
  },
};

/** Starts the servers and reads their lists, which are then in the cache. */
function readLists(
  names: readonly string[],
  { servers, signal }: CommandInput,
): Promise<ServerResult<unknown>[]> {
  return eachServer(names, servers, (name) => servers.list(name, 'tools', { signal }));
}

/** The cost with the errors of servers that could not be started. */
function withFailures(cost: Cost, failures: ReadonlyMap<string, Error>): Cost {
  const notCounted = cost.notCounted.map((each) => {
    const error = each.error ?? failures.get(each.server);
    return error ? { ...each, error } : each;
  });
  return { ...cost, notCounted };
}
