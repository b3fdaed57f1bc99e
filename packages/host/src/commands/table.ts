import { call } from './call.ts';
import type { Command, OptionSpec } from './command.ts';
import { complete } from './complete.ts';
import { config } from './config.ts';
import { list } from './list.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { ping } from './ping.ts';
import { prompt } from './prompt.ts';
import { prompts } from './prompts.ts';
import { read } from './read.ts';
import { resources } from './resources.ts';
import { route } from './route.ts';
import { show } from './show.ts';
import { tools } from './tools.ts';
import { trust } from './trust.ts';
import { watch } from './watch.ts';

/** All commands, in the order of `--help`. */
export const commands: readonly Command[] = [
  list,
  tools,
  show,
  call,
  resources,
  read,
  watch,
  prompts,
  prompt,
  complete,
  ping,
  route,
  login,
  logout,
  config,
  trust,
];

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
