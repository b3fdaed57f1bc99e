import { usageError } from '../errors.ts';
import type { Command, CommandInput } from '../command-line/command.ts';
import { printedCommand } from '../printed-command.ts';

const verbs = ['list', 'get', 'verify', 'install'] as const;
type Verb = (typeof verbs)[number];

export const skills: Command = {
  name: 'skills',
  usage: 'list [server…] | get <server> <skill> [file] | verify|install <server> <skill>',
  help: 'the skills of servers: lists them, prints their files, compares these with their digests, and installs a skill in a directory, after a question or with --yes',
  words: [verbs, 'server', 'any'],
  options: [
    {
      name: 'directory',
      value: 'directory',
      help: 'where install writes the skill, in a directory of its name; verify then compares it with the server',
    },
  ],
  async run(input) {
    const verb = verbs.find((each) => each === input.positionals[0]);
    if (verb === undefined) {
      throw usageError(
        `Expected: ${printedCommand('skills', '<verb>', '<server>')} with the verb list, get, verify or install`,
      );
    }
    return (await run[verb]())({ ...input, positionals: input.positionals.slice(1) });
  },
};

type Run = (input: CommandInput) => Promise<number>;

/** Loaded when needed: reading skills needs a parser of YAML. */
const run: Readonly<Record<Verb, () => Promise<Run>>> = {
  list: async () => (await import('./skills/list.ts')).list,
  get: async () => (await import('./skills/get.ts')).get,
  verify: async () => (await import('./skills/verify.ts')).verify,
  install: async () => (await import('./skills/install.ts')).install,
};
