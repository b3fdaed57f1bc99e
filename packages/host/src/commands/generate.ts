import type { Command } from '../command-line/command.ts';
import { serverFirst } from '../command-line/target.ts';
import { usageError } from '../errors.ts';
import { printedCommand } from '../printed-command.ts';
import { outOption, writeMade } from './generate/write-code.ts';

export const generate: Command = {
  name: 'generate',
  usage: 'client|cli <server> [-o file]',
  help: 'prints a client in TypeScript with a method for each tool, or a program with a command for each tool',
  examples: ['generate client files --zod -o files.ts', 'generate cli files -o files-cli.ts'],
  words: [['client', 'cli'], 'server'],
  options: [outOption, { name: 'zod', help: 'client: checks arguments and results by schemas for zod' }],
  async run(input) {
    const { positionals, servers, options } = input;
    const [what = '', ...rest] = positionals;
    if (what !== 'client' && what !== 'cli')
      throw usageError(
        `Invalid kind: "${what}"; expected client or cli`,
        printedCommand('generate', 'client', '<server>'),
      );
    const { server } = serverFirst(rest, servers.names, 'generate', what, '<server>');
    return writeMade({ what, servers: [server], zod: options['zod'] === true }, input);
  },
};
