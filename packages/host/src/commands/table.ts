import { call } from './call.ts';
import type { Command, OptionSpec } from './command.ts';
import { config } from './config.ts';
import { list } from './list.ts';
import { read } from './read.ts';
import { route } from './route.ts';
import { tools } from './tools.ts';

/** All commands, in the order of `--help`. */
export const commands: readonly Command[] = [list, tools, call, read, route, config];

/** Options that every command takes. */
export const commonOptions: readonly OptionSpec[] = [
  {
    name: 'config',
    value: 'file',
    help: 'a configuration file to use instead of the well-known ones',
    multiple: true,
  },
  { name: 'json', help: "the specification's own objects, one line each" },
  { name: 'yes', help: 'agrees to start servers that a project names' },
  { name: 'help', help: 'this text' },
  { name: 'version', help: 'the version of mcp' },
];

export function commandNamed(name: string): Command | undefined {
  return commands.find((each) => each.name === name || each.aliases?.includes(name));
}
