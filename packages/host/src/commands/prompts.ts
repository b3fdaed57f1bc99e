import type { Command } from '../command-line/command.ts';
import { listCommand } from '../views/list-servers.ts';

export const prompts: Command = listCommand(
  { name: 'prompts', help: 'the prompts of all servers, or of those that are named' },
  ['prompts'],
  ({ prompts: listed }) =>
    listed.map(({ name, title, description, arguments: args = [] }) => [
      [name, ...args.map((each) => (each.required ? each.name : `[${each.name}]`))].join(' '),
      description ?? title ?? '',
    ]),
);
