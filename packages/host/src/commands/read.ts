import { exitCodes, usageError } from '../errors.ts';
import { extendedByProgress } from '../servers/extended-by-progress.ts';
import type { Command } from '../command-line/command.ts';
import { resourceParts } from '../testing/answer.ts';
import { recorderOf, recordOption } from '../testing/record.ts';
import { ResponseText } from '../views/response-text.ts';
import { showResource } from '../views/show-result.ts';
import { resultOptions, resultOptionsOf } from '../command-line/result-options.ts';
import { serverFirst } from '../command-line/target.ts';
import { printedCommand } from '../printed-command.ts';

export const read: Command = {
  name: 'read',
  usage: '<server> <uri>',
  help: 'reads a resource',
  words: ['server', 'resource'],
  options: [
    { name: 'save', value: 'directory', help: 'writes images, sounds and files into this directory' },
    recordOption,
    ...resultOptions,
  ],
  async run(input) {
    const { positionals, servers, signal, options } = input;
    resultOptionsOf(options);
    const usage = ['read', '<server>', '<uri>'];
    const { server, rest } = serverFirst(positionals, servers.names, ...usage);
    const [uri] = rest;
    if (uri === undefined) throw usageError(`Name a server and a URI: ${printedCommand(...usage)}`);
    const record = await recorderOf(input);
    const response = new ResponseText();
    const callOptions = { signal, onResponseText: response.keep, ...extendedByProgress };
    const result = await servers.use(server, (client) => client.readResource(uri, callOptions));
    await record?.({ resource: uri }, resourceParts(result));
    await showResource(response.numbersIn(result), input);
    return exitCodes.ok;
  },
};
