import type { Command } from '../../command-line/command.ts';
import { exitCodes, usageError } from '../../errors.ts';
import { printedCommand } from '../../printed-command.ts';
import type { Question } from '../../registry/fill-inputs.ts';
import { table } from '../../terminal/table.ts';
import { isRegistryName, registryOf, registryOption, versionedName } from './registry-options.ts';

export const info: Command = {
  name: 'info',
  usage: '<registry name>[@version]',
  help: 'shows a server of the registry: its packages and addresses, and the values that it needs',
  examples: ['info io.github.user/weather', 'info io.github.user/weather@1.0.2'],
  words: ['any'],
  options: [registryOption],
  async run(input) {
    const { positionals, output } = input;
    const [word, ...others] = positionals;
    if (word === undefined || others.length > 0 || !isRegistryName(word))
      throw usageError(
        `Name a server of the registry: ${printedCommand('info', 'io.github.user/server')}`,
        `${printedCommand('search', '<word>')} finds names`,
      );
    const registry = await registryOf(input);
    const { name, version } = versionedName(word);
    const server = await registry.server(name, version);
    if (output.json) {
      output.value(server.written);
      return exitCodes.ok;
    }
    const versions = await registry.versions(name);
    const { offersOf } = await import('../../registry/offers.ts');
    const offers = offersOf(server);
    const rows: (readonly [string, string | undefined])[] = [
      ['name', server.name],
      ['title', server.title],
      ['version', server.version],
      ['status', server.status === 'active' ? undefined : server.status],
      ['published', server.publishedAt?.slice(0, 10)],
      ['about', server.description],
      ['website', server.websiteUrl],
      ['source', server.repositoryUrl],
      ['versions', versions.length > 1 ? versions.slice(0, 12).join(', ') : undefined],
      ...offers.flatMap(({ label, unusable, questions }) => [
        ['use', unusable === undefined ? label : `${label}: ${unusable}`] as const,
        ...questions.map((each) => ['', questionText(each)] as const),
      ]),
    ];
    const shown = rows.flatMap(([label, text]) => (text === undefined || text === '' ? [] : [[label, text]]));
    for (const line of table(shown, Infinity)) output.text(line);
    if (offers.some(({ unusable }) => unusable === undefined))
      output.note(`to add it: ${printedCommand('add', word)}`, 'dim');
    return exitCodes.ok;
  },
};

/** A value that a server needs, and the option that gives it, in one line. */
export function questionText(question: Question): string {
  const { input } = question;
  const { description, default: usual, choices, isRequired, isSecret } = input;
  const notes = [
    isRequired ? 'required' : undefined,
    isSecret ? 'secret' : undefined,
    choices.length > 0 ? `one of ${choices.join(', ')}` : undefined,
    usual === undefined || isSecret ? undefined : `default ${usual}`,
  ].filter((each) => each !== undefined);
  const text = description === undefined ? '' : `: ${description}`;
  return `${optionOf(question)}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}${text}`;
}

/** The option of `mcp add` that gives a value. */
export function optionOf({ kind, name, input: { placeholder = '…' } }: Question): string {
  if (kind === 'header') return `--header '${name}: ${placeholder}'`;
  return `--${kind} ${name}=${placeholder}`;
}
