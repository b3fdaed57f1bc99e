import type { ResultBlock } from '@mcp/vendors/content';
import { didYouMean } from '../did-you-mean.ts';
import { callError, exitCodes, type HostError } from '../errors.ts';
import type { Servers } from '../servers/servers.ts';
import { extendedByProgress } from '../servers/extended-by-progress.ts';
import type { Command } from '../command-line/command.ts';
import { promptParts } from '../testing/answer.ts';
import { recorderOf, recordOption } from '../testing/record.ts';
import { ResponseText } from '../views/response-text.ts';
import { showBlocks } from '../views/show-result.ts';
import { pairOf, type Target, targetFirst } from '../command-line/target.ts';
import { printedCommand } from '../printed-command.ts';

export const prompt: Command = {
  name: 'prompt',
  usage: '<server.prompt> [key=value…]',
  help: 'the messages of a prompt',
  words: ['prompt', 'prompt argument'],
  options: [
    { name: 'save', value: 'directory', help: 'writes images, sounds and files into this directory' },
    recordOption,
  ],
  async run(input) {
    const { positionals, servers, output, signal } = input;
    const { target, rest } = await targetFirst(positionals, servers, 'prompt');
    const { server, name } = target;
    const args = Object.fromEntries(rest.map((word) => pairOf(word, 'key=value')));
    const record = await recorderOf(input);
    const response = new ResponseText();
    const callOptions = { signal, onResponseText: response.keep, ...extendedByProgress };
    const result = await servers
      .use(server, (client) => client.getPrompt(name, args, callOptions))
      .catch(async (error: unknown) => {
        signal.throwIfAborted();
        throw (await missingPrompt(target, servers)) ?? error;
      });
    await record?.({ prompt: name, arguments: args }, promptParts(result));
    if (output.json) output.value(response.numbersIn(result));
    for (const { role, content } of output.json ? [] : result.messages) {
      output.text(output.styled('bold', `${role}:`));
      await showBlocks([content as ResultBlock], input, name);
    }
    return exitCodes.ok;
  },
};

/** The error for a prompt that its server does not list, with similar names; otherwise undefined. */
async function missingPrompt({ server, name }: Target, servers: Servers): Promise<HostError | undefined> {
  const { items } = await servers.list(server, 'prompts').catch(() => ({ items: undefined }));
  if (!items || items.some((each) => each.name === name)) return undefined;
  const names = items.map((each) => each.name);
  const message = `The server "${server}" has no prompt "${name}"${didYouMean(name, names)}`;
  return callError(server, message, printedCommand('prompts', server));
}
