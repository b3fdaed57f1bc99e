import { exitCodes } from '../errors.ts';
import { extendedByProgress } from '../servers/extended-by-progress.ts';
import type { ResultBlock } from '../vendors/vendor.ts';
import type { Command } from '../command-line/command.ts';
import { showBlocks } from '../results/show-result.ts';
import { targetFirst, usageError } from '../command-line/target.ts';

export const prompt: Command = {
  name: 'prompt',
  usage: '<server.prompt> [key=value…]',
  help: 'the messages of a prompt',
  words: ['prompt', 'prompt argument'],
  options: [{ name: 'save', value: 'directory', help: 'writes images, sounds and files there' }],
  async run(input) {
    const { positionals, servers, output, signal } = input;
    const { target, rest } = await targetFirst(positionals, servers, 'prompt');
    const { server, name } = target;
    const args = Object.fromEntries(rest.map(argumentOf));
    const result = await servers.use(server, (client) =>
      client.getPrompt(name, args, { signal, ...extendedByProgress }),
    );
    if (output.json) output.value(result);
    for (const { role, content } of output.json ? [] : result.messages) {
      output.text(output.styled('bold', `${role}:`));
      await showBlocks([content as ResultBlock], input, name);
    }
    return exitCodes.ok;
  },
};

/** Arguments of prompts are strings. */
function argumentOf(word: string): [string, string] {
  const at = word.indexOf('=');
  if (at <= 0) throw usageError(`Unexpected argument: "${word}"; expected key=value`);
  return [word.slice(0, at), word.slice(at + 1)];
}
