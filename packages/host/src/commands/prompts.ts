import { exitCodeOf } from '../views/each-server.ts';
import type { Command } from '../command-line/command.ts';
import { cachedOption, listServers, listsJson, printLists, type ServerLists } from '../views/list-servers.ts';

export const prompts: Command = {
  name: 'prompts',
  usage: '[server…]',
  help: 'the prompts of all servers, or of those that are named',
  words: ['server'],
  options: [cachedOption],
  async run(input) {
    const { output } = input;
    const results = await listServers(input, ['prompts'], (result) => {
      if (!output.json) printLists(result, input, rowsOf);
    });
    if (output.json) output.value(Object.fromEntries(results.map((each) => [each.server, listsJson(each)])));
    return exitCodeOf(results);
  },
};

function rowsOf({ prompts: listed }: ServerLists<'prompts'>): string[][] {
  return listed.map(({ name, title, description, arguments: args = [] }) => [
    [name, ...args.map((each) => (each.required ? each.name : `[${each.name}]`))].join(' '),
    description ?? title ?? '',
  ]);
}
