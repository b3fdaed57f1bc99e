import { isObject, messageOf } from '@mcp/kit';
import { type Command, type CommandInput, valueOf } from '../../command-line/command.ts';
import type { Entry } from '../../config/entry/entry-values.ts';
import { readEntry, type ReadEntry } from '../../config/entry/read-entry.ts';
import type { ConfiguredServer } from '../../config/load-configuration.ts';
import type { FormatName } from '../../config/formats/formats.ts';
import { hostNames } from '../../config/write/hosts.ts';
import { spellings } from '../../config/write/spelling.ts';
import { exitCodes, usageError } from '../../errors.ts';
import { printedCommand } from '../../printed-command.ts';
import type { Output } from '../../terminal/output.ts';
import { serverNamed } from '../../servers/configured-servers.ts';
import { placeOptions, type TargetPlace } from './target-place.ts';

export const importServers: Command = {
  name: 'import',
  usage: '[server…] --to <host>',
  help: 'copies configured servers into the file of another host, in its format, and says what the format cannot express',
  examples: ['import files web --to codex', 'import --from claude-desktop --to vscode --dry-run'],
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
      throw usageError(
        `Only configured servers are imported; ${printedCommand('add', '<name>')} writes another one`,
      );
    if (options['to'] === undefined && options['project'] !== true)
      throw usageError(`Name a host: ${printedCommand('import', '--to', '<host>')}`);
    const { targetPlace } = await import('./target-place.ts');
    // The files of `--config` are those to read here, not the one to write.
    const { config: _, ...others } = options;
    const place = await targetPlace({ options: others });
    const converted: Converted[] = [];
    for (const server of chosenServers(input, place)) converted.push(await convertedServer(server, place));
    if (options['dry-run'] === true) return showConverted(converted, place, input);
    const { saveEntries, noteUndo } = await import('./save-entry.ts');
    const { noteRelative, noteSecrets } = await import('./notes.ts');
    const entries = converted.flatMap((each) => ('error' in each ? [] : [each]));
    const { change, results } = await saveEntries(entries, place, {
      replaces: options['force'] === true,
      directories: input.directories,
    });
    const file = change.file;
    const backup = change.backup === undefined ? {} : { backup: change.backup };
    const values = converted.map((each) => {
      if ('error' in each) return failed(each.name, each.error, place, output);
      const result = results[entries.indexOf(each)];
      if (result instanceof Error) return failed(each.name, result, place, output);
      if (!output.json) output.text(`Added "${each.name}" to ${place.title}: ${file}:${result}`);
      showLost(each.lost, output);
      noteSecrets(each.read, place, output);
      if (each.project !== undefined) noteRelative(each.read, place, output, each.project);
      return { server: each.name, file, line: result, lost: each.lost, ...backup };
    });
    if (output.json) output.value(values);
    else noteUndo(change, output);
    return values.some((each) => 'error' in each) ? exitCodes.usage : exitCodes.ok;
  },
};

/** A server in the format of the other host, or why it has none there. */
type Converted =
  | {
      readonly name: string;
      readonly entry: Entry;
      readonly lost: readonly string[];
      readonly read: ReadEntry;
      /** The directory of the project that the entry is of. */
      readonly project: string | undefined;
    }
  | { readonly name: string; readonly error: Error };

/**
 * The named servers, or all of the user's own. Those of a project are imported only by their names, because
 * in a file of the user they start without a question.
 */
function chosenServers({ positionals, options, configuration, output }: CommandInput, place: TargetPlace) {
  const from = valueOf(options, 'from');
  const isFrom = ({ format }: ConfiguredServer) => from === undefined || format.name === from;
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
    output.warning(
      `Not imported, because a project configures them; name them to import them: ${ofProject.join(', ')}`,
    );
  const own = place.project === undefined ? all.filter(({ scope }) => scope !== 'project') : all;
  const canDisable = spellings[place.format.name as FormatName].disabled !== undefined;
  const disabled = canDisable ? [] : own.filter(({ enabled }) => !enabled);
  if (disabled.length > 0)
    output.warning(
      `Not imported, because they are disabled, and ${place.title} cannot disable an entry; name them to import them: ${disabled.map(({ name }) => name).join(', ')}`,
    );
  const chosen = own.filter((each) => !disabled.includes(each));
  if (chosen.length === 0)
    throw usageError(
      'There are no servers to import',
      `${printedCommand('list')} shows the servers that are configured`,
    );
  return chosen;
}

/** The entry in the format of another host; unchanged where the format is the same. */
async function convertedServer(
  { name, written, format, project }: ConfiguredServer,
  place: TargetPlace,
): Promise<Converted> {
  const { writeEntry } = await import('../../config/write/write-entry.ts');
  const { unreadKeys } = await import('../../config/write/unread-keys.ts');
  try {
    if (!isObject(written)) throw new Error('an entry must be an object');
    const read = readEntry(written, format);
    if (format.name === place.format.name) return { name, entry: written, lost: [], read, project };
    const { entry, lost } = writeEntry(read, format, place.format);
    const unread = unreadKeys(written, format).map((key) => `"${key}" of ${format.title} is left out`);
    return { name, entry, lost: [...lost, ...unread], read, project };
  } catch (error) {
    return { name, error: usageError(`${name}: ${messageOf(error)}`) };
  }
}

/** Prints the entries of a dry run. */
async function showConverted(
  converted: readonly Converted[],
  place: TargetPlace,
  { output }: CommandInput,
): Promise<number> {
  const { maskedEntry } = await import('./masked-entry.ts');
  const values = converted.map((each) => {
    if ('error' in each) return failed(each.name, each.error, place, output);
    const entry = maskedEntry(each.entry);
    if (!output.json) output.value({ [each.name]: entry });
    showLost(each.lost, output);
    return { server: each.name, file: place.file, lost: each.lost, entry };
  });
  if (output.json) output.value(values);
  return values.some((each) => 'error' in each) ? exitCodes.usage : exitCodes.ok;
}

function showLost(lost: readonly string[], output: Output): void {
  for (const each of output.json ? [] : lost) output.warning(`  ${each}`);
}

/** Says why a server is not imported; returns the same as JSON. */
function failed(server: string, { message }: Error, { file }: TargetPlace, output: Output) {
  if (!output.json) output.note(message, 'red');
  return { server, file, lost: [], error: message };
}
