import type { CommandInput, OptionSpec } from '../command-line/command.ts';
import type { Listed, ListItems, ListKind } from '../servers/lists.ts';
import { table } from '../terminal/table.ts';
import { noteWithoutServers } from './no-servers.ts';
import { eachServer, type ServerResult } from './each-server.ts';

/** Milliseconds after which the cached list of a server is shown. */
const cachedAfterMs = 2_000;

export const cachedOption: OptionSpec = {
  name: 'cached',
  help: 'shows the lists of the last time and starts nothing',
};

/** Lists of one server, of which the oldest is from `cachedAt`. */
export type ServerLists<K extends ListKind> = { readonly [Kind in K]: readonly ListItems[Kind][] } & {
  readonly cachedAt?: number | undefined;
};

/**
 * Lists of the servers that are named, or of all. `show` is called with each server as soon as it has
 * answered, or with its cached lists after two seconds; a server that hangs and has none delays the end
 * of the command alone.
 */
export function listServers<K extends ListKind>(
  input: CommandInput,
  kinds: readonly K[],
  show: (result: ServerResult<ServerLists<K>>) => void,
): Promise<ServerResult<ServerLists<K>>[]> {
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

function joined<K extends ListKind>(kinds: readonly K[], lists: readonly Listed<K>[]): ServerLists<K> {
  const times = lists.flatMap(({ cachedAt }) => cachedAt ?? []);
  return Object.assign(
    {} as ServerLists<K>,
    ...kinds.map((kind, index) => ({ [kind]: lists[index]!.items })),
    times.length > 0 && { cachedAt: Math.min(...times) },
  ) as ServerLists<K>;
}

/** Prints the lists of one server for a person: its name, whether they are cached, and a table. */
export function printLists<K extends ListKind>(
  { server, value, error }: ServerResult<ServerLists<K>>,
  { output }: Pick<CommandInput, 'output'>,
  rowsOf: (lists: ServerLists<K>) => readonly (readonly string[])[],
): void {
  const cached =
    value?.cachedAt === undefined ? '' : `  (cached, ${ageText(Date.now() - value.cachedAt)} old)`;
  output.text(`${output.styled('bold', server)}${output.styled('dim', cached)}`);
  if (error) return output.text(`  ${output.styled('red', error.message)}`);
  for (const line of table(rowsOf(value), output.width - 2)) output.text(`  ${line}`);
}

/** The lists of one server as JSON; `_meta.cachedAt` says that they are cached, and since when. */
export function listsJson<K extends ListKind>({ value, error }: ServerResult<ServerLists<K>>): object {
  if (error) return { error: error.message };
  const { cachedAt, ...lists } = value;
  return cachedAt === undefined ? lists : { ...lists, _meta: { cachedAt: new Date(cachedAt).toISOString() } };
}

const units = [
  ['d', 24 * 60 * 60_000],
  ['h', 60 * 60_000],
  ['min', 60_000],
] as const;

/** `2 min`: an age in the largest unit that it fills. */
export function ageText(ageMs: number): string {
  const [unit, length] = units.find(([, each]) => ageMs >= each) ?? (['s', 1_000] as const);
  return `${Math.max(0, Math.floor(ageMs / length))} ${unit}`;
}
