import { isObject, oneLine } from '@mcp/kit';
import type { ListedTool } from '@mcp/protocol/client';
import { plainSchema } from '@mcp/vendors/content';
import { type PropertySchema, typesOf, valuesOf } from '../property-schema.ts';
import type { ServerEntry } from '../config/entry/server-entry.ts';
import { mask, maskTarget } from '../config/entry/mask-secrets.ts';
import { usageError } from '../errors.ts';
import { type GeneratedServer, headingOf } from './heading.ts';
import { objectKey, propertyKey, quotedText, uniqueNames } from './names.ts';

/** A program with a command for each tool of a server, whose flags are the arguments of the tool. */
export function cliModule(generated: GeneratedServer, entry: ServerEntry): string {
  const claim = uniqueNames();
  const commands = generated.tools
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((tool) => commandOf(tool, claim(tool.name.replaceAll(/[^A-Za-z0-9]+/g, '-'))));
  const parts = [
    `#!/usr/bin/env node\n${headingOf('mcp generate cli', [generated])}`,
    ...serverOf(entry),
    types,
    `const commands: Readonly<Record<string, Command>> = {\n${commands.join('\n')}\n} as const;`,
    program,
  ];
  return `${parts.join('\n\n')}\n`;
}

function commandOf({ name, title, description, inputSchema }: ListedTool, command: string): string {
  const { properties = {}, required = [] } = plainSchema(inputSchema) as {
    properties?: Readonly<Record<string, unknown>>;
    required?: readonly string[];
  };
  const flags = Object.entries(properties).map(
    ([key, schema]) => `      ${objectKey(key)}: ${flagOf(key, schema, required.includes(key))},`,
  );
  return [
    `  ${objectKey(command)}: {`,
    `    tool: ${quotedText(name)},`,
    `    help: ${quotedText(oneLine(description ?? title ?? '', maxHelp))},`,
    flags.length === 0 ? '    flags: {},' : `    flags: {\n${flags.join('\n')}\n    },`,
    '  },',
  ].join('\n');
}

const maxHelp = 200;

function flagOf(key: string, schema: unknown, isRequired: boolean): string {
  const property = isObject(schema) ? withoutNull(schema) : {};
  const { type, items, description } = property;
  const ofItems = isObject(items) ? items['type'] : undefined;
  const isList = type === 'array' && typeof ofItems === 'string' && scalars.has(ofItems);
  const values = valuesOf(property);
  const kind = isList ? scalars.get(ofItems)! : kindOf(key, property);
  const help = [
    typeof description === 'string' ? description : '',
    values ? `one of ${values.map((each) => JSON.stringify(each)).join(', ')}` : (forms.get(kind) ?? ''),
  ].filter((each) => each !== '');
  const others = values?.filter((each) => typeof each !== 'string') ?? [];
  return `{ ${[
    `type: '${kind}'`,
    ...(isList ? ['many: true'] : []),
    ...(kind === 'text' && others.length > 0 ? [`choices: ${JSON.stringify(others)}`] : []),
    ...(isRequired ? ['required: true'] : []),
    `help: ${quotedText(oneLine(help.join('; '), maxHelp))}`,
  ].join(', ')} }`;
}

/** How the text of a flag becomes a value: as in `mcp call`, a text is one where the type may be a string. */
function kindOf(key: string, property: PropertySchema): string {
  const types = typesOf(property);
  const [only, ...more] = types;
  const kind = more.length === 0 && only !== undefined ? (scalars.get(only) ?? 'json') : 'json';
  // `--help` alone prints the help, so that this flag needs a value.
  if (kind === 'boolean' && key === 'help') return 'json';
  if (kind !== 'json' || (types.size > 0 && !types.has('string'))) return kind;
  const hasOthers = types.size === 0 || types.has('object') || types.has('array');
  return hasOthers || valuesOf(property) ? 'text' : 'string';
}

const forms: ReadonlyMap<string, string> = new Map([
  ['json', 'as JSON'],
  ['text', 'text, or a JSON object or list'],
]);

/** A schema without the alternative `null`, if one other is left: a flag that is not given has no value. */
function withoutNull(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { type, anyOf, oneOf } = schema;
  const others = [type, anyOf, oneOf].flatMap((each) => (Array.isArray(each) ? (each as unknown[]) : []));
  const [only, ...more] = others.filter(
    (each) => each !== 'null' && !(isObject(each) && each['type'] === 'null'),
  );
  if (more.length > 0 || only === undefined) return schema;
  return isObject(only) ? { ...only, ...schema } : { ...schema, type: only };
}

const scalars: ReadonlyMap<unknown, string> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
]);

/** How the program reaches the server. Values that may be secrets come from its environment. */
function serverOf({ name, target, variables }: ServerEntry): string[] {
  const shown = maskTarget(target, variables);
  const public_ = shown.kind === 'http' ? [shown.url] : [shown.command, ...shown.args];
  if (public_.some((word) => word.includes(mask)))
    throw usageError(
      `The entry of "${name}" has a secret in its ${shown.kind === 'http' ? 'URL' : 'command'}, which a generated program must not have`,
      'move the secret into "env" or "headers" of the entry',
    );
  const fromEnvironment = (names: readonly string[], variableOf: (each: string) => string) =>
    `{ ${names.map((each) => `${propertyKey(each)}: variable(${quotedText(variableOf(each))})`).join(', ')} }`;
  const imports = ["import { parseArgs } from 'node:util';"];
  if (target.kind === 'http') {
    const prefix = `${name}_`;
    const headers = Object.keys(target.headers);
    const variableOf = (each: string) => `${prefix}${each}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
    const options = headers.length === 0 ? '' : `, { headers: ${fromEnvironment(headers, variableOf)} }`;
    imports.push("import { Client, serverAt } from '@mcp/protocol/client';");
    return [
      imports.join('\n'),
      `const server = () => serverAt(${quotedText(target.url)}${options});`,
      ...(headers.length > 0 ? [variable] : []),
    ];
  }
  const { command, args, env, cwd } = target;
  const names = Object.keys(env);
  const lines = [
    `command: ${quotedText(command)}`,
    `args: [${args.map(quotedText).join(', ')}]`,
    ...(names.length > 0 ? [`env: ${fromEnvironment(names, (each) => each)}`] : []),
    ...(cwd === undefined ? [] : [`cwd: ${quotedText(cwd)}`]),
  ];
  imports.push(
    "import { Client } from '@mcp/protocol/client';",
    "import { serverCommand } from '@mcp/protocol/stdio';",
  );
  return [
    imports.join('\n'),
    `const server = () =>\n  serverCommand({\n${lines.map((each) => `    ${each},\n`).join('')}  });`,
    ...(names.length > 0 ? [variable] : []),
  ];
}

const variable = `/** A variable of the environment. Throws if it is not set. */
function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error('The variable ' + name + ' is not set');
  return value;
}`;

const types = `interface Flag {
  /** How the text of the flag becomes a value. */
  readonly type: 'string' | 'number' | 'boolean' | 'json' | 'text';
  /** Values besides texts, which are given as JSON. */
  readonly choices?: readonly unknown[];
  /** Whether the flag may be repeated, for a list of values. */
  readonly many?: true;
  readonly required?: true;
  readonly help: string;
}

interface Command {
  readonly tool: string;
  readonly help: string;
  readonly flags: Readonly<Record<string, Flag>>;
}`;

const program = String.raw`try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(shown(error instanceof Error ? error.message : String(error)));
  process.exitCode = 1;
}

async function main([name = '--help', ...words]: readonly string[]): Promise<void> {
  if (name === '--help') return printHelp(Object.entries(commands).map(([each, { help }]) => [each, help]));
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new Error('Unknown command: "' + name + '"' + nearest(name) + '; --help prints all commands');
  const flags = Object.entries(command.flags);
  if (words.includes('--help')) {
    console.log(shown(command.help));
    return printHelp(
      flags.map(([each, { required, help }]) => [
        '--' + each + (each === 'help' ? '=value' : ''),
        (required ? 'required  ' : '') + help,
      ]),
    );
  }
  const args = argumentsOf(command, words);
  const client = await Client.connect(server());
  try {
    const { content, structuredContent, isError } = await client.callTool(command.tool, args);
    if (structuredContent === undefined)
      for (const each of content) console.log(each.type === 'text' ? shown(each.text) : '[' + each.type + ']');
    else console.log(shown(JSON.stringify(structuredContent, null, 2)));
    if (isError) process.exitCode = 1;
  } finally {
    await client.close();
  }
}

/** The command that is most similar to an unknown one, if one is. */
function nearest(name: string): string {
  const distances = Object.keys(commands).map((each) => [distance(name, each), each] as const);
  const [[least = Infinity, each = ''] = []] = distances.sort(([a], [b]) => a - b);
  return least <= name.length / 3 ? '; did you mean "' + each + '"?' : '';
}

/** The number of characters to insert, to delete and to replace between two texts. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(Math.min(row[j]! + (a[i] === b[j] ? 0 : 1), row[j + 1]! + 1, next[j]! + 1));
    row = next;
  }
  return row[b.length]!;
}

/** On a terminal, a text without the control characters that would change what it shows. */
function shown(text: string): string {
  return process.stdout.isTTY ? text.replaceAll(/[^\P{Cc}\t\n]|\p{Bidi_Control}/gu, '\ufffd') : text;
}

/** The arguments of a tool from flags. Throws for an unknown flag, and for one that is missing or invalid. */
function argumentsOf({ flags }: Command, words: readonly string[]): Record<string, unknown> {
  const options = Object.entries(flags).map(([name, { type, many = false }]) => {
    return [name, { type: type === 'boolean' ? type : 'string', multiple: many }] as const;
  });
  const { values } = parseArgs({
    args: [...words],
    options: Object.fromEntries(options),
    allowNegative: true,
  });
  for (const [name, { required }] of Object.entries(flags))
    if (required && values[name] === undefined) throw new Error('Missing flag: --' + name);
  const read = (name: string, value: unknown): unknown =>
    Array.isArray(value) ? value.map((each) => read(name, each)) : valueOf(name, flags[name], value);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, read(name, value)]));
}

function valueOf(name: string, flag: Flag | undefined, value: unknown): unknown {
  if (typeof value !== 'string' || flag?.type === 'string') return value;
  const chosen = flag?.choices?.find((each) => JSON.stringify(each) === value);
  if (chosen !== undefined || (flag?.type === 'text' && !/^\s*[[{]/.test(value))) return chosen === undefined ? value : chosen;
  let expected: string | undefined = flag?.type === 'text' ? 'json' : flag?.type;
  try {
    const parsed: unknown = JSON.parse(value);
    if (/^-?\d+$/.test(value) && !Number.isSafeInteger(parsed))
      expected = 'number of at most ' + Number.MAX_SAFE_INTEGER;
    else if (expected === 'json' || typeof parsed === expected) return parsed;
  } catch {
    // The error below names the flag.
  }
  throw new Error('Invalid --' + name + ': "' + value + '"; expected ' + expected);
}

function printHelp(rows: readonly (readonly [name: string, help: string])[]): void {
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, help] of rows) console.log(shown((name.padEnd(width) + '  ' + help).trim()));
}`;
