import { readFile } from 'node:fs/promises';
import { messageOf } from '@mcp/kit';
import { type Command, type CommandInput, valueOf } from '../command-line/command.ts';
import { exitCodes, usageError } from '../errors.ts';
import type { GeneratedServer } from '../generate/heading.ts';
import { noteWithoutServers } from '../views/no-servers.ts';
import { generatedServer } from './generate/make-code.ts';
import { outOption, writeMade } from './generate/write-code.ts';

export const types: Command = {
  name: 'types',
  usage: '[server…] [-o file] | --check <file>',
  help: 'prints TypeScript types of the arguments and structured results of tools; --check says whether a generated file is outdated',
  examples: ['types files -o files.d.ts', 'types --check files.d.ts'],
  words: ['server'],
  options: [
    outOption,
    {
      name: 'check',
      value: 'file',
      help: 'exits with 1 if the tools are no longer those of this generated file',
    },
  ],
  async run(input) {
    const { positionals, servers, options } = input;
    const file = valueOf(options, 'check');
    if (file !== undefined) return check(file, input);
    noteWithoutServers(input);
    const names = positionals.length > 0 ? positionals : servers.names;
    return writeMade({ what: 'types', servers: names, zod: false }, input);
  },
};

/** Compares the digests in a generated file with the lists of its servers. */
async function check(file: string, input: CommandInput): Promise<number> {
  const { digestsIn, digestOf } = await import('../generate/heading.ts');
  const digests = digestsIn(await textOf(file));
  if (digests.size === 0)
    throw usageError(
      `Invalid --check: "${file}" names no server; expected a file that mcp types or mcp generate wrote`,
    );
  const now = await Promise.all([...digests.keys()].map((each) => generatedServer(each, input)));
  const changed = now.filter(({ server, tools }: GeneratedServer) => digests.get(server) !== digestOf(tools));
  for (const { server } of changed)
    input.output.note(`The tools of ${server} are no longer those of ${file}`);
  return changed.length > 0 ? exitCodes.usage : exitCodes.ok;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw usageError(`Cannot read --check "${file}": ${messageOf(error)}`);
  }
}
