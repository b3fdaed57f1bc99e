import type { Command, OptionSpec, WordKind } from '../command.ts';
import { optionsOf } from '../common-options.ts';
import { commandNamed } from '../parse-command-line.ts';
import { parseTarget, type Target } from '../target.ts';
import type { SuggestedItem, Suggestion, SuggestionSources } from './suggestion.ts';

const maxSuggestions = 500;

/** The command line up to the word that is being typed, and that word. */
interface Context {
  readonly command: Command;
  /** The words of the command, without the options. */
  readonly positionals: readonly string[];
  readonly typed: string;
  readonly sources: SuggestionSources;
}

/** Suggestions for the last of `words`, which is being typed. */
export async function completeWords(
  words: readonly string[],
  commands: readonly Command[],
  sources: SuggestionSources,
): Promise<readonly Suggestion[]> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  // The words after `--` are the command of a server, for which there are no suggestions.
  if (before.includes('--')) return [];
  const { command, positionals, openOption } = readBefore(before, commands);
  const found = openOption
    ? (openOption.choices ?? []).map((value) => ({ value }))
    : typed.startsWith('-')
      ? optionSuggestions(command)
      : command
        ? await wordSuggestions({ command, positionals, typed, sources })
        : commands.map(({ name, help }) => ({ value: name, help }));
  return found.filter(({ value }) => value.startsWith(typed)).slice(0, maxSuggestions);
}

/** Reads the words before the typed one. `openOption` is the option whose value is being typed. */
function readBefore(words: readonly string[], commands: readonly Command[]) {
  let command: Command | undefined;
  let openOption: OptionSpec | undefined;
  const positionals: string[] = [];
  for (const word of words) {
    if (openOption) openOption = undefined;
    else if (word.startsWith('-')) openOption = optionsOf(command).find((each) => takesValue(each, word));
    else if (command) positionals.push(word);
    else command = commandNamed(word, commands);
  }
  return { command, positionals, openOption };
}

function takesValue({ name, value }: OptionSpec, word: string): boolean {
  return value !== undefined && word === `--${name}`;
}

function optionSuggestions(command: Command | undefined): Suggestion[] {
  return optionsOf(command).map(({ name, help }) => ({ value: `--${name}`, help }));
}

/** Suggestions for the next word of a command, by the kinds that the command declares. */
async function wordSuggestions(context: Context): Promise<readonly Suggestion[]> {
  const { command, positionals } = context;
  const { words = [] } = command;
  const kind = words[Math.min(positionals.length, words.length - 1)];
  return kind === undefined
    ? []
    : typeof kind === 'object'
      ? kind.map((value) => ({ value }))
      : byKind[kind](context);
}

const byKind: Readonly<
  Record<Exclude<WordKind, readonly string[]>, (context: Context) => Promise<readonly Suggestion[]>>
> = {
  server: ({ sources }) => Promise.resolve(sources.servers()),
  tool: (context) => itemSuggestions(context, (server) => context.sources.tools(server)),
  prompt: (context) => itemSuggestions(context, (server) => context.sources.prompts(server)),
  'prompt or template': async (context) => {
    const { sources } = context;
    if (context.positionals.length > 0) return promptArguments(context);
    return itemSuggestions(context, async (server) => [
      ...(await sources.prompts(server)),
      ...(await sources.templates(server)),
    ]);
  },
  resource: async ({ positionals, sources }) => {
    const server = positionals.find((word) => sources.servers().some(({ value }) => value === word));
    return server === undefined ? [] : sources.resources(server);
  },
  'server or resource': async (context) => [
    ...context.sources.servers(),
    ...(context.positionals.length > 0 ? await byKind.resource(context) : []),
  ],
  'tool argument': async (context) => {
    const target = targetOf(context);
    const tool =
      target && (await context.sources.tools(target.server)).find(({ value }) => value === target.name);
    return argumentSuggestions(tool, context);
  },
  'prompt argument': promptArguments,
  any: () => Promise.resolve([]),
};

/** Suggests servers as `server.`. When a server has been typed, suggests its items as `server.item`. */
async function itemSuggestions(
  { typed, sources }: Context,
  items: (server: string) => Promise<readonly SuggestedItem[]>,
): Promise<readonly Suggestion[]> {
  const servers = sources.servers().map(({ value }) => value);
  const begun = servers.filter((server) => typed.startsWith(`${server}.`) || typed.startsWith(`${server}/`));
  if (begun.length === 0) return servers.map((server) => ({ value: `${server}.`, help: 'server' }));
  const lists = await Promise.all(
    begun.map(async (server) =>
      (await items(server)).map(({ value, help }) => ({
        value: `${server}${typed[server.length]}${value}`,
        help,
      })),
    ),
  );
  return lists.flat();
}

async function promptArguments(context: Context): Promise<readonly Suggestion[]> {
  const { typed, sources } = context;
  const target = targetOf(context);
  if (!target) return [];
  const { server, name } = target;
  const at = typed.indexOf('=');
  if (at > 0) {
    const ref = name.includes('{') ? { resource: name } : { prompt: name };
    const values = await sources.values(server, ref, typed.slice(0, at), typed.slice(at + 1));
    return values.map((value) => ({ value: `${typed.slice(0, at + 1)}${value}` }));
  }
  if (name.includes('{'))
    return [...name.matchAll(/\{[+#./;?&]?([\w,]+)/g)]
      .flatMap(([, names = '']) => names.split(','))
      .map((variable) => ({ value: `${variable}=` }));
  const prompt = (await sources.prompts(server)).find(({ value }) => value === name);
  return argumentSuggestions(prompt, context);
}

/**
 * Suggests the arguments that are not given yet, as `name=`. After the `=`, suggests the values that the
 * schema of the argument lists.
 */
function argumentSuggestions(item: SuggestedItem | undefined, { typed, positionals }: Context): Suggestion[] {
  const properties = Object.entries(item?.schema?.properties ?? {});
  const at = typed.indexOf('=');
  if (at > 0) {
    const [, property] = properties.find(([name]) => name === typed.slice(0, at)) ?? [];
    const values = property?.enum ?? (property?.type === 'boolean' ? [true, false] : []);
    return values.map((value) => ({ value: `${typed.slice(0, at + 1)}${String(value)}` }));
  }
  const given = new Set(positionals.slice(1).map((word) => /^[^:=]+/.exec(word)?.[0]));
  return properties
    .filter(([name]) => !given.has(name))
    .map(([name, { description }]) => ({ value: `${name}=`, help: description }));
}

/** The server and the item that the first word names; undefined if the word names no item. */
function targetOf({ positionals, sources }: Context): Target | undefined {
  try {
    return parseTarget(
      positionals[0],
      sources.servers().map(({ value }) => value),
      'tool',
    );
  } catch {
    return undefined;
  }
}
