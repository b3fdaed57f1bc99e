import { join } from 'node:path';
import { messageOf, oneLine } from '@mcp/kit';
import { type CommandInput, valueOf } from '../../command-line/command.ts';
import { clientIdOf, refuseOptionsOfOthers } from '../../command-line/server-settings.ts';
import { mask, maskValue } from '../../config/entry/mask-secrets.ts';
import type { HttpTarget, StdioTarget } from '../../config/entry/server-entry.ts';
import { exitCodes, type HostError, usageError } from '../../errors.ts';
import { printedCommand } from '../../printed-command.ts';
import { answerKey, type Answers } from '../../registry/fill-inputs.ts';
import { type Offer, offersOf } from '../../registry/offers.ts';
import type { RegistryServer } from '../../registry/registry-server.ts';
import { shellWord } from '../../shell-word.ts';
import { askLine } from '../../terminal/ask-line.ts';
import { table } from '../../terminal/table.ts';
import { entryOf, saveServer } from '../configure/add.ts';
import { withoutAffixes } from '../configure/server-name.ts';
import type { Registry } from '../../registry/registry.ts';
import { targetPlace } from '../configure/target-place.ts';
import { attentionOf } from './attention.ts';
import { answersTo } from './answers.ts';
import { bundleOffer, type BundleOptions } from './bundle-offer.ts';
import { questionText } from './info.ts';
import { registryOf, versionedName } from './registry-options.ts';

/** Writes a server of the registry into the file of a host, after it has shown what will run. */
export async function addFromRegistry(word: string, input: CommandInput): Promise<number> {
  const { options, output } = input;
  const { name, version } = versionedName(word);
  const registry = await registryOf(input);
  const server = await registry.server(name, version);
  if (server.status === 'deleted') throw refused(name, 'its author has deleted it');
  const chosen = chosenOffer(server, valueOf(options, 'use'));
  const { bundle } = chosen;
  const installable = bundle && (await bundleOffer({ ...chosen, bundle }, bundleOptions(registry, input)));
  const offer: Offer = installable ?? chosen;
  const answers = await answersTo(offer.questions, input);
  const target = orRefused(name, () => offer.target(answers));
  const visible = offer.target(maskedAnswers(offer, answers));
  const entryOfTarget = (each: typeof target) => entryOf(withOptions(each, input), options);
  const entry = entryOfTarget(target);
  const entryName = valueOf(options, 'name') ?? withoutAffixes(name.split('/')[1] ?? '') ?? name;
  await show(server, offer, { answers, visible, entryName, origin: registry.address.origin, input });
  if (options['dry-run'] !== true && !(await isAccepted(input))) return exitCodes.refused;
  if (server.status !== 'active') output.warning(`The registry says that ${name} is ${server.status}`);
  if (options['dry-run'] !== true) orRefused(name, () => installable?.install());
  return saveServer(entryName, entry, input, entryOfTarget(visible));
}

/** The answers without those that are secrets. What the registry says is shown whole: it is what runs. */
function maskedAnswers({ questions }: Offer, answers: Answers): Answers {
  const inputs = new Map(questions.map((each) => [answerKey(each), each.input]));
  return new Map(
    Array.from(answers, ([key, values]) => {
      const { isSecret = false, format } = inputs.get(key) ?? {};
      const name = key.slice(key.indexOf(':') + 1);
      // A path is no secret, even if one of its names looks random.
      const visible = format === 'filepath' ? values : values.map((value) => maskValue(name, value));
      return [key, isSecret ? [mask] : visible] as const;
    }),
  );
}

/** What is written, with the options that are not answers. Throws for one that its kind does not have. */
function withOptions(target: StdioTarget | HttpTarget, { options }: CommandInput): typeof target {
  const [cwd, clientId] = [valueOf(options, 'cwd'), clientIdOf(options)];
  if (options['transport'] !== undefined)
    throw usageError('Invalid --transport: the registry says which transport a server has');
  refuseOptionsOfOthers(target.kind, options);
  if (target.kind === 'stdio') return cwd === undefined ? target : { ...target, cwd };
  return clientId === undefined ? target : { ...target, oauth: { clientId } };
}

function bundleOptions(
  { address: registry }: Registry,
  { directories, signal }: CommandInput,
): BundleOptions {
  return { registry, directory: join(directories.state, 'bundles'), signal };
}

/** The way to use a server that the user has chosen, or the first one that can be used. */
function chosenOffer(server: RegistryServer, use: string | undefined): Offer {
  const offers = offersOf(server);
  const wanted = use === undefined ? offers : offers.filter((each) => each.use === use);
  const usable = wanted.find(({ unusable }) => unusable === undefined);
  if (usable) return usable;
  const reasons = wanted.map(({ label, unusable }) => `${label}: ${unusable}`);
  const names = [...new Set(offers.filter(({ unusable }) => unusable === undefined).map((each) => each.use))];
  throw refused(
    server.name,
    reasons.length > 0 ? reasons.join('; ') : `it has no package or address of "${use ?? 'any kind'}"`,
    names.length > 0 ? `--use takes ${names.join(', ')}` : undefined,
  );
}

interface Shown {
  readonly answers: Answers;
  /** What will run, without secrets. */
  readonly visible: StdioTarget | HttpTarget;
  readonly entryName: string;
  readonly origin: string;
  readonly input: CommandInput;
}

/** How much of a description is shown, in characters, and how many values that may be given. */
const [maxText, maxOptional] = [200, 20];

/**
 * Prints what will be written: the words of the command as they will be executed, without secrets. They are
 * the last lines, so that no text of the registry moves them out of the terminal.
 */
async function show(
  server: RegistryServer,
  offer: Offer,
  { answers, visible, entryName, origin, input }: Shown,
): Promise<void> {
  const { output } = input;
  if (output.json) return;
  const { title, file } = await targetPlace(input);
  const others = offersOf(server).filter((each) => each.label !== offer.label && each.unusable === undefined);
  const optional = offer.questions.filter((each) => !answers.has(answerKey(each)));
  const rows = [
    ['server', `${server.name} ${server.version}`],
    ['about', oneLine(server.description, maxText)],
    ['from', origin],
    ...others.map(({ use, label }) => ['or', oneLine(`--use ${use}: ${label}`, maxText)]),
    ...optional.slice(0, maxOptional).map((each) => ['optional', oneLine(questionText(each), maxText)]),
    ...(optional.length > maxOptional
      ? [['optional', `${optional.length - maxOptional} more: ${printedCommand('info', server.name)}`]]
      : []),
    ...attentionOf(visible, offer.launcherWords(maskedAnswers(offer, answers))).map((each) => [
      'attention',
      each,
    ]),
    ...targetRows(visible),
    ['writes', `"${entryName}" to ${title}: ${file}`],
  ];
  for (const line of table(rows, Infinity)) output.note(line);
}

function targetRows(target: StdioTarget | HttpTarget): string[][] {
  if (target.kind === 'http')
    return [
      ['calls', target.url],
      ...Object.entries(target.headers).map(([name, value]) => ['header', `${name}: ${value}`]),
    ];
  return [
    ['starts', [target.command, ...target.args].map(shellWord).join(' ')],
    ...Object.entries(target.env).map(([name, value]) => ['env', `${name}=${value}`]),
  ];
}

async function isAccepted({ options, output, signal }: CommandInput): Promise<boolean> {
  if (options['yes'] === true) return true;
  if (process.stdin.isTTY && output.interactive) {
    const terminal = { input: process.stdin, output: process.stderr };
    const answer = await askLine('Write it? [y/N] ', terminal, { signal });
    return /^y(?:es)?$/i.test(answer?.trim() ?? '');
  }
  output.note('Nothing was written; --yes writes it');
  return false;
}

function orRefused<T>(name: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw refused(name, messageOf(error));
  }
}

function refused(name: string, reason: string, hint?: string): HostError {
  return usageError(`The server "${name}" is not added: ${reason}`, hint ?? printedCommand('info', name));
}
