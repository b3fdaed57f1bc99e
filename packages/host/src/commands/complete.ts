import { exitCodes } from '../errors.ts';
import { completionParts } from '../testing/answer.ts';
import { recorderOf, recordOption } from '../testing/record.ts';
import type { Command } from '../command-line/command.ts';
import { pairOf, targetFirst } from '../command-line/target.ts';

export const complete: Command = {
  name: 'complete',
  usage: '<server.prompt | server/uri-template> <argument=typed> [known=value…]',
  help: 'suggestions for an argument of a prompt, or for a variable of a resource template',
  words: ['prompt or template'],
  options: [recordOption],
  async run(input) {
    const { positionals, servers, output, signal } = input;
    const { target, rest } = await targetFirst(positionals, servers, 'prompt');
    const { server, name } = target;
    const [typed, ...known] = rest;
    const [argument, value] = pairOf(typed, 'argument=typed');
    const ref = name.includes('{') ? { resource: name } : { prompt: name };
    const others = Object.fromEntries(known.map((word) => pairOf(word, 'known=value')));
    const record = await recorderOf(input);
    const completion = await servers.use(server, (client) =>
      client.complete(ref, { name: argument, value }, others, { signal }),
    );
    const call = { complete: name, argument, typed: value, arguments: others };
    await record?.(call, completionParts(completion));
    if (output.json) output.value({ completion });
    else for (const each of completion.values) output.foreign(each);
    return exitCodes.ok;
  },
};
