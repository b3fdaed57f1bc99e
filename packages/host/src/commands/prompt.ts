import { exitCodes } from '../errors.ts';
import type { ResultBlock } from '../vendors/vendor.ts';
import type { Command } from '../command-line/command.ts';
import { blockText } from '../results/result-text.ts';
import { parseTarget, usageError } from '../command-line/target.ts';

export const prompt: Command = {
  name: 'prompt',
  usage: '<server.prompt> [key=value…]',
  help: 'the messages of a prompt',
  async run({ positionals: [word, ...words], servers, output, signal }) {
    const { server, name } = parseTarget(word, servers.names, 'prompt');
    const args = Object.fromEntries(words.map(argumentOf));
    const result = await servers.use(server, (client) => client.getPrompt(name, args, { signal }));
    if (output.json) output.value(result);
    for (const { role, content } of output.json ? [] : result.messages) {
      output.text(output.styled('bold', `${role}:`));
      output.foreign(blockText(content as ResultBlock));
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
