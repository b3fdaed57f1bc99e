import { explainServer, explanationOf } from '../config/explain-server.ts';
import { exitCodes, usageError } from '../errors.ts';
import { serverNamed } from '../servers/configured-servers.ts';
import { printedCommand } from '../printed-command.ts';
import { table } from '../terminal/table.ts';
import { checkFiles } from './config/check.ts';
import type { Command } from '../command-line/command.ts';

export const config: Command = {
  name: 'config',
  usage: 'explain <server> | check | path',
  help: 'where the configuration of a server comes from, with secrets masked; faults in all files; or the files that were read',
  words: [['explain', 'check', 'path'], 'server', 'any'],
  async run(input) {
    const { positionals, configuration, output } = input;
    const [verb, name] = positionals;
    if (verb !== 'explain' && !input.load)
      throw usageError('A URL or a command is in no configuration file: only config explain takes one');
    if (verb === 'check' && name === undefined) return checkFiles(input);
    if (verb === 'path') {
      const paths = configuration.files.map(({ path }) => path);
      if (output.json) output.value(paths);
      else for (const path of paths) output.foreign(path);
      return exitCodes.ok;
    }
    if (verb !== 'explain' || name === undefined)
      throw usageError(
        `Expected: ${printedCommand('config', 'explain', '<server>')}, ${printedCommand('config', 'check')}, or ${printedCommand('config', 'path')}`,
      );
    const server = serverNamed(name, configuration.servers);
    const entry = await server.resolve((id) => `‹input ${id}›`);
    if (output.json) output.value(explanationOf(server, entry));
    else for (const line of table(explainServer(server, entry), output.width)) output.text(line);
    return exitCodes.ok;
  },
};
