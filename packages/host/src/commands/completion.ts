import type { Command } from '../command-line/command.ts';
import { completionScript, completionShells } from '../command-line/completion/completion-script.ts';
import { exitCodes, usageError } from '../errors.ts';

export const completion: Command = {
  name: 'completion',
  usage: completionShells.join('|'),
  help: 'prints the script that completes commands, options, servers, tools and URIs in a shell',
  words: [completionShells, 'any'],
  run({ positionals: [name], output }) {
    const shell = completionShells.find((each) => each === name);
    if (!shell) throw usageError(`Invalid shell: "${name ?? ''}"; expected ${completionShells.join(', ')}`);
    output.text(completionScript(shell).trimEnd());
    return Promise.resolve(exitCodes.ok);
  },
};
