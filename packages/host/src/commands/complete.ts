import { exitCodes, usageError } from '../errors.ts';
import type { Command } from '../command-line/command.ts';
import { targetFirst } from '../command-line/target.ts';

export const complete: Command = {
  name: 'complete',
  usage: '<server.prompt | server/uri-template> <argument=typed> [known=value…]',
  help: 'suggestions for an argument of a prompt, or for a variable of a resource template',
  words: ['prompt or template'],
  async run({ positionals, servers, output, signal }) {
    const { target, rest } = await targetFirst(positionals, servers, 'prompt');
    const { server, name } = target;
    const [typed, ...known] = rest;
    const [argument, value] = pairOf(typed);
    const ref = name.includes('{') ? { resource: name } : { prompt: name };
    const others = Object.fromEntries(known.map(pairOf));
    const completion = await servers.use(server, (client) =>
      client.complete(ref, { name: argument, value }, others, { signal }),
    );
    if (output.json) output.value({ completion });
    else for (const each of completion.values) output.foreign(each);
    return exitCodes.ok;
  },
};

function pairOf(word: string | undefined): [string, string] {
  const at = word?.indexOf('=') ?? -1;
  if (word === undefined || at <= 0) throw usageError(`Expected argument=typed; got "${word ?? ''}"`);
  return [word.slice(0, at), word.slice(at + 1)];
}
