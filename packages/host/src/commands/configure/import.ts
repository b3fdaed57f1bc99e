import { isObject } from '@mcp/kit';
import { type Command, type CommandInput, valueOf } from '../../command-line/command.ts';
import type { Entry } from '../../config/entry/entry-values.ts';
import { readEntry, type ReadEntry } from '../../config/entry/read-entry.ts';
import type { ConfiguredServer } from '../../config/load-configuration.ts';
import { hostNames, isOwnFile } from '../../config/write/hosts.ts';
import { exitCodes, HostError, usageError } from '../../errors.ts';
import { printedCommand } from '../../printed-command.ts';
import { serverNamed } from '../../servers/configured-servers.ts';
import type { FileChange } from '../../config/write/change-file.ts';
import { placeOptions, type TargetPlace } from './target-place.ts';

export const importServers: Command = {
  name: 'import',
  usage: '[server…] --to <host>',
  help: 'copies configured servers into the file of another host, in its format, and says what the format cannot express',
  words: ['server'],
  options: [
    ...placeOptions,
    { name: 'from', value: 'host', help: 'only servers of this host', choices: hostNames },
    { name: 'force', help: 'replaces servers of the same names' },
    { name: 'dry-run', help: 'prints the entries, and writes nothing' },
  ],
  async run(input) {
    const { options, output } = input;
    if (!input.load)
      throw usageError(`Only configured servers are imported; ${printedCommand('add')} writes another one`);
    if (options['to'] === undefined && options['project'] !== true)
      throw usageError(`Name a host: ${printedCommand('import', '--to', '<host>')}`);
    const { targetPlace } = await import('./target-place.ts');
    // The files of `--config` are those to read here, not the one to write.
    const { config: _, ...others } = options;
    const place = await targetPlace({ options: others });
    const chosen = chosenServers(input, place);
    const results: Result[] = [];
    for (const server of chosen) results.push(await importServer(server, place, input));
    if (output.json)
      output.value(
        results.map(({ error, change, ...each }) => ({
          ...each,
          ...(change?.backup !== undefined && { backup: change.backup }),
          ...(error && { error: error.message }),
        })),
      );
    else await printBackup(results, input);
    return results.some(({ error }) => error) ? exitCodes.usage : exitCodes.ok;
  },
};

interface Result {
  readonly server: string;
  readonly file: string;
  readonly lost: readonly string[];
  readonly line?: number;
  readonly entry?: Entry;
  readonly change?: FileChange;
  readonly error?: Error;
}

/**
 * The named servers, or all of the user's own. Those of a project are imported only by their names, because
 * in a file of the user they start without a question.
 */
function chosenServers({ positionals, options, configuration, output }: CommandInput, place: TargetPlace) {
  const from = valueOf(options, 'from');
  const isFrom = ({ format, origin }: ConfiguredServer) =>
    from === undefined ||
    (from === 'mcp' ? isOwnFile(origin.file) : format.name === from && !isOwnFile(origin.file));
  if (positionals.length > 0) {
    // With --from, a server may be one that another entry of the same name hides.
    const known = [...configuration.servers, ...configuration.shadowed];
    const named = positionals.map(
      (name) => known.find((each) => each.name === name && isFrom(each)) ?? serverNamed(name, known),
    );
    const other = named.find((server) => !isFrom(server));
    if (other)
      throw usageError(
        `The server "${other.name}" is not one of --from ${from}: it is in "${other.origin.file}"`,
      );
    return named;
  }
  const { servers, shadowed } = configuration;
  const all = (from === undefined ? servers : [...servers, ...shadowed])
    .filter(isFrom)
    .filter(({ origin }) => origin.file !== place.file);
  const ofProject = all.filter(({ scope }) => scope === 'project').map(({ name }) => name);
  if (ofProject.length > 0 && place.project === undefined)
    output.note(
      `Not imported, because a project configures them; name them to import them: ${ofProject.join(', ')}`,
    );
  const chosen = place.project === undefined ? all.filter(({ scope }) => scope !== 'project') : all;
  if (chosen.length === 0)
    throw usageError(
      'There are no servers to import',
      `${printedCommand('list')} shows the servers that are configured`,
    );
  return chosen;
}

async function importServer(
  server: ConfiguredServer,
  place: TargetPlace,
  input: CommandInput,
): Promise<Result> {
  const { options, output, directories } = input;
  const { name: title } = server;
  const known = { server: title, file: place.file, lost: [] };
  try {
    const { entry, lost, read } = await convertedEntry(server, place);
    const { maskedEntry } = await import('./masked-entry.ts');
    if (options['dry-run'] === true) {
      if (!output.json) output.value({ [title]: maskedEntry(entry) });
      for (const each of output.json ? [] : lost) output.warning(`  ${each}`);
      return { ...known, lost, entry: maskedEntry(entry) };
    }
    const { saveEntry } = await import('./save-entry.ts');
    const replaces = options['force'] === true;
    const { change, line } = await saveEntry(title, entry, place, { replaces, directories });
    if (!output.json) output.text(`Added "${title}" to ${place.title}: ${change.file}:${line}`);
    for (const each of output.json ? [] : lost) output.warning(`  ${each}`);
    const { noteSecrets } = await import('./notes.ts');
    noteSecrets(read, place, output);
    return { server: title, file: change.file, line, lost, change };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const message = error instanceof HostError ? error.message : `${title}: ${error.message}`;
    if (!output.json) output.note(message, 'red');
    return { ...known, error: new Error(message) };
  }
}

/** The entry in the format of another host; unchanged where the format is the same. */
async function convertedEntry({ written, format }: ConfiguredServer, place: TargetPlace) {
  if (!isObject(written)) throw new Error('an entry must be an object');
  const { writeEntry } = await import('../../config/write/write-entry.ts');
  const { unreadKeys } = await import('../../config/write/unread-keys.ts');
  const read: ReadEntry = readEntry(written, format);
  if (format.name === place.format.name) return { entry: written, lost: [], read };
  const { entry, lost } = writeEntry(read, format, place.format);
  const unread = unreadKeys(written, format).map((key) => `"${key}" of ${format.title} is left out`);
  return { entry, lost: [...lost, ...unread], read };
}

async function printBackup(results: readonly Result[], { output, options }: CommandInput): Promise<void> {
  const changed = results.flatMap(({ change }) => change ?? []);
  const [first] = changed;
  if (!first || options['dry-run'] === true) return;
  const { noteBackup } = await import('./save-entry.ts');
  noteBackup(first, output);
}
