import { exitCodeOf } from '../views/each-server.ts';
import type { Command } from '../command-line/command.ts';
import { cachedOption, listServers, listsJson, printLists, type ServerLists } from '../views/list-servers.ts';

export const resources: Command = {
  name: 'resources',
  usage: '[server…]',
  help: 'the resources and resource templates of all servers, or of those that are named',
  words: ['server'],
  options: [cachedOption],
  async run(input) {
    const { output } = input;
    const results = await listServers(input, ['resources', 'resourceTemplates'], (result) => {
      if (!output.json) printLists(result, input, rowsOf);
    });
    if (output.json) output.value(Object.fromEntries(results.map((each) => [each.server, listsJson(each)])));
    return exitCodeOf(results);
  },
};

function rowsOf({
  resources: listed,
  resourceTemplates,
}: ServerLists<'resources' | 'resourceTemplates'>): string[][] {
  return [
    ...resourceTemplates.map(({ uriTemplate, name, description }) => [uriTemplate, description ?? name]),
    ...listed.map(({ uri, name, description }) => [uri, description ?? name]),
  ];
}
