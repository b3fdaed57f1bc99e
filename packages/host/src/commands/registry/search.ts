import type { Command } from '../../command-line/command.ts';
import { countOf } from '../../command-line/option-values.ts';
import { exitCodes, usageError } from '../../errors.ts';
import { printedCommand } from '../../printed-command.ts';
import { table } from '../../terminal/table.ts';
import { isRegistryName, registryOf, registryOption } from './registry-options.ts';

/** How many servers a search shows by default. */
const defaultLimit = 20;

export const search: Command = {
  name: 'search',
  usage: '<word…>',
  help: 'finds servers in the registry, by words: the registry finds one of them in the names, and the others may be in the descriptions',
  examples: ['search weather', 'search git --limit 50'],
  words: ['any'],
  options: [
    registryOption,
    { name: 'limit', value: 'count', help: `shows at most so many servers, ${defaultLimit} by default` },
  ],
  async run(input) {
    const { positionals, options, output } = input;
    const limit = options['limit'] === undefined ? defaultLimit : countOf(options, 'limit');
    const words = positionals.flatMap((word) => word.split(/\s+/)).filter((word) => word !== '');
    if (words.length === 0) throw usageError(`Name what to search: ${printedCommand('search', '<word>')}`);
    const { servers, hasMore } = await (await registryOf(input)).search(words, limit);
    if (output.json) output.value(servers.map(({ written }) => written));
    else {
      const rows = servers.map(({ name, version, status, description }) => [
        name,
        version,
        status === 'active' ? description : `(${status}) ${description}`,
      ]);
      for (const line of table(rows, output.width)) output.text(line);
    }
    if (servers.length === 0) output.note(nothingFound(words));
    if (hasMore) output.note('There are more; another word, or --limit, shows others', 'dim');
    const one = servers.find(({ name }) => isRegistryName(name));
    if (one && !output.json) output.note(`about one: ${printedCommand('info', one.name)}`, 'dim');
    return exitCodes.ok;
  },
};

/** Says what was searched: the registry does not search descriptions. */
function nothingFound(words: readonly string[]): string {
  const quoted = words.map((word) => JSON.stringify(word));
  const [word = '', ...others] = quoted;
  return others.length === 0
    ? `No server has ${word} in its name: the registry does not search descriptions; try another word`
    : `No server that has one of ${quoted.join(', ')} in its name has all of them in its name and description; try fewer words`;
}
