import { isDeepStrictEqual } from 'node:util';
import type { Command, CommandInput } from '../../command-line/command.ts';
import type { ConfiguredServer } from '../../config/load-configuration.ts';
import { loadConfiguration } from '../../config/load-configuration.ts';
import { exitCodes, HostError, usageError } from '../../errors.ts';
import { printedCommand } from '../../printed-command.ts';
import { serverNamed } from '../../servers/configured-servers.ts';
import { placeOptions } from './target-place.ts';

export const remove: Command = {
  name: 'remove',
  usage: '<server>',
  help: 'deletes a server from its configuration file: comments stay, and the former file is kept',
  words: ['server', 'any'],
  options: [...placeOptions, { name: 'dry-run', help: 'prints the file and the line, and writes nothing' }],
  async run(input) {
    const { positionals, options, output, directories } = input;
    const [name, ...others] = positionals;
    if (!input.load) throw usageError('Only configured servers are removed, by their names');
    if (name === undefined || others.length > 0)
      throw usageError(`Name a server: ${printedCommand('remove', '<server>')}`);
    const [{ changeFile }, { withoutEntry }, { noteUndo }] = await Promise.all([
      import('../../config/write/change-file.ts'),
      import('../../config/write/edit-servers.ts'),
      import('./save-entry.ts'),
    ]);
    const { file, line, path, language, project } = await placeOf(name, input);
    if (options['dry-run'] === true) {
      if (output.json) output.value({ server: name, file, line });
      else output.text(`"${name}" is at ${file}:${line}`);
      return exitCodes.ok;
    }
    const edit = (text: string) => withoutEntry(text, { file, language, path });
    const change = await changeFile(file, edit, { stateDirectory: directories.state, project });
    if (output.json) output.value({ server: name, file: change.file, line, backup: change.backup });
    else output.text(`Removed "${name}" from ${change.file}`);
    if (output.json) return exitCodes.ok;
    noteUndo(change, output);
    const { servers } = await loadConfiguration(input.load);
    const next = servers.find((each) => each.name === name);
    if (next) output.note(`"${name}" is now the entry at ${next.origin.file}:${next.origin.line}`);
    return exitCodes.ok;
  },
};

/** The place of the entry that counts, or of that in the file which the options choose. */
async function placeOf(name: string, input: CommandInput) {
  const { options, configuration } = input;
  if (options['to'] === undefined && options['project'] !== true) {
    const server = serverNamed(name, configuration.servers);
    return { ...placeOfServer(server), project: server.project };
  }
  const { targetPlace } = await import('./target-place.ts');
  const place = await targetPlace(input);
  const { servers, shadowed } = await loadConfiguration({ files: [place.file] });
  // The file of Claude Code may also have an entry of this name for one project, which is another one.
  const server = [...servers, ...shadowed].find(({ path }) =>
    isDeepStrictEqual(path, [...place.container, name]),
  );
  if (!server)
    throw new HostError(`${place.title} has no server "${name}" in "${place.file}"`, {
      server: name,
      phase: 'configuration',
      hint: `${printedCommand('list')} shows the servers that are configured`,
    });
  return { ...placeOfServer(server), project: place.project };
}

function placeOfServer({ origin, path, format }: ConfiguredServer) {
  const { file, line } = origin;
  return { file, line, path, language: format.language };
}
