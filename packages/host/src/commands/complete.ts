import { exitCodes } from '../errors.ts';
import type { Command } from '../command-line/command.ts';
import { pairOf, targetFirst } from '../command-line/target.ts';

export const complete: Command = {
  name: 'complete',
  usage: '<server.prompt | server/uri-template> <argument=typed> [known=value…]',
  help: 'suggestions for an argument of a prompt, or for a variable of a resource template',
  words: ['prompt or template'],
  async run({ positionals, servers, output, signal }) {
    const { target, rest } = await targetFirst(positionals, servers, 'prompt');
    const { server, name } = target;
    const [typed, ...known] = rest;
    const [argument, value] = pairOf(typed, 'argument=typed');
    const ref = name.includes('{') ? { resource: name } : { prompt: name };
    const others = Object.fromEntries(known.map((word) => pairOf(word, 'known=value')));
    const completion = await servers.use(server, (client) =>
      client.complete(ref, { name: argument, value }, others, { signal }),
    );
    if (output.json) output.value({ completion });
    else for (const each of completion.values) output.foreign(each);
    return exitCodes.ok;
  },
};
