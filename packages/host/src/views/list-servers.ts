import type { Command, CommandInput, OptionSpec } from '../command-line/command.ts';
import type { Listed, ListItems, ListName } from '../servers/lists.ts';
import { table } from '../terminal/table.ts';
import { noteWithoutServers } from './no-servers.ts';
import { eachServer, exitCodeOf, type ServerResult } from './each-server.ts';

/** Milliseconds after which the cached lists of a server that has not answered are shown. */
const cachedAfterMs = 2_000;

export const cachedOption: OptionSpec = {
  name: 'cached',
  help: 'shows the lists that were read last, and starts no server',
};

/**
 * The lists of one server. If some of them come from the cache, `cachedAt` is the time of the oldest, in
 * milliseconds since 1970.
 */
export type ListsOfServer<K extends ListName> = { readonly [Kind in K]: readonly ListItems[Kind][] } & {
  readonly cachedAt?: number | undefined;
};

/**
 * Reads lists of the named servers, or of all servers. Calls `show` with the lists of a server as soon as the
 * server answers or, if it has not answered after two seconds, with its cached lists. A server without cached
 * lists delays no other server, but the command ends only after this server has answered.
 */
export function listServers<K extends ListName>(
  input: CommandInput,
  kinds: readonly K[],
  show: (result: ServerResult<ListsOfServer<K>>) => void,
): Promise<ServerResult<ListsOfServer<K>>[]> {
  const { positionals, options, servers, signal } = input;
  noteWithoutServers(input);
  const limit = { signal, cachedAfterMs: options['cached'] === true ? 0 : cachedAfterMs };
  return eachServer(
    positionals,
    servers,
    async (name) => {
      const lists = await Promise.all(kinds.map((kind) => servers.list(name, kind, limit)));
      return joined(kinds, lists);
    },
    show,
  );
}

function joined<K extends ListName>(kinds: readonly K[], lists: readonly Listed<K>[]): ListsOfServer<K> {
  const times = lists.flatMap(({ cachedAt }) => cachedAt ?? []);
  return Object.assign(
    {} as ListsOfServer<K>,
    ...kinds.map((kind, index) => ({ [kind]: lists[index]!.items })),
    times.length > 0 && { cachedAt: Math.min(...times) },
  ) as ListsOfServer<K>;
}

/** Prints the lists of one server for a person: its name, whether they are cached, and a table. */
export function printLists<K extends ListName>(
  { server, value, error }: ServerResult<ListsOfServer<K>>,
  { output }: Pick<CommandInput, 'output'>,
  rowsOf: (lists: ListsOfServer<K>) => readonly (readonly string[])[],
): void {
  const cached =
    value?.cachedAt === undefined ? '' : `  (cached, ${ageText(Date.now() - value.cachedAt)} old)`;
  output.text(`${output.styled('bold', server)}${output.styled('dim', cached)}`);
  if (error) return output.text(`  ${output.styled('red', error.message)}`);
  for (const line of table(rowsOf(value), output.width - 2)) output.text(`  ${line}`);
}

/** The lists of one server as JSON; if they come from the cache, `_meta.cachedAt` is their time. */
export function listsJson<K extends ListName>({ value, error }: ServerResult<ListsOfServer<K>>): object {
  if (error) return { error: error.message };
  const { cachedAt, ...lists } = value;
  return cachedAt === undefined ? lists : { ...lists, _meta: { cachedAt: new Date(cachedAt).toISOString() } };
}

/** A command that prints lists of servers, as tables or as JSON. */
export function listCommand<K extends ListName>(
  { name, help }: Pick<Command, 'name' | 'help'>,
  kinds: readonly K[],
  rowsOf: (lists: ListsOfServer<K>) => readonly (readonly string[])[],
): Command {
  return {
    name,
    usage: '[server…]',
    help,
    words: ['server'],
    options: [cachedOption],
    async run(input) {
      const { output } = input;
      const results = await listServers(input, kinds, (result) => {
        if (!output.json) printLists(result, input, rowsOf);
      });
      if (output.json)
        output.value(Object.fromEntries(results.map((each) => [each.server, listsJson(each)])));
      return exitCodeOf(results);
    },
  };
}

const units = [
  ['d', 24 * 60 * 60_000],
  ['h', 60 * 60_000],
  ['min', 60_000],
] as const;

/** An age in whole units, in the largest unit that is not longer than the age: `2 min`. */
export function ageText(ageMs: number): string {
  const [unit, length] = units.find(([, each]) => ageMs >= each) ?? (['s', 1_000] as const);
  return `${Math.max(0, Math.floor(ageMs / length))} ${unit}`;
}
