import { isAbsolute } from 'node:path';
import type { HttpTarget, OAuthSettings, StdioTarget } from '../entry/server-entry.ts';
import type { Entry } from '../entry/entry-values.ts';
import { defaultCallTimeoutMs, defaultStartTimeoutMs, type ReadEntry } from '../entry/read-entry.ts';
import type { Format, FormatName } from '../formats/formats.ts';
import { convertVariables, onlyVariable, variableText } from './convert-variables.ts';
import { type Spelling, spellings } from './spelling.ts';

/** An entry as a format spells it. `lost` says in sentences what the format cannot express. */
export interface WrittenEntry {
  readonly entry: Entry;
  readonly lost: readonly string[];
}

/**
 * Writes an entry of one format in another one. Throws an `Error` if the other format has no entries of this
 * kind.
 */
export function writeEntry(read: ReadEntry, from: Format, to: Format): WrittenEntry {
  const lost: string[] = [];
  const spelling = spellings[to.name as FormatName];
  const text = (value: string, key: string) => {
    const converted = convertVariables(value, from, to);
    lost.push(...converted.lost.map((each) => `${key}: ${each}`));
    return converted.text;
  };
  const writer: Writer = { read: withNamedVariables(read, from), from, to, spelling, text, lost };
  const { target: named } = writer.read;
  const target = named.kind === 'stdio' ? stdio(named, writer) : http(named, writer);
  const entry = { ...target, ...filters(writer), ...timeouts(writer), ...disabled(writer) };
  return { entry, lost };
}

/**
 * The entry with its variables as names where a whole value is one variable: formats without variables have
 * lists of such names.
 */
function withNamedVariables(read: ReadEntry, from: Format): ReadEntry {
  const { target } = read;
  if (target.kind === 'stdio') {
    const isNamed = ([name, value]: readonly [string, string]) => onlyVariable(value, from) === name;
    const [named, others] = split(Object.entries(target.env), isNamed);
    const inheritedVariables = [...new Set([...read.inheritedVariables, ...named.map(([name]) => name)])];
    return { ...read, inheritedVariables, target: { ...target, env: Object.fromEntries(others) } };
  }
  const variableOf = (value: string) => onlyVariable(value.replace(/^Bearer /, ''), from);
  const [named, others] = split(
    Object.entries(target.headers),
    ([, value]) => variableOf(value) !== undefined,
  );
  const written = named.map(([header, value]): [string, string] => [
    header,
    `${value.startsWith('Bearer ') ? 'Bearer ' : ''}${variableOf(value)}`,
  ]);
  return {
    ...read,
    headerVariables: { ...Object.fromEntries(written), ...read.headerVariables },
    target: { ...target, headers: Object.fromEntries(others) },
  };
}

function split<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

interface Writer {
  readonly read: ReadEntry;
  readonly from: Format;
  readonly to: Format;
  readonly spelling: Spelling;
  readonly lost: string[];
  /** Converts the variables of a value. */
  readonly text: (value: string, key: string) => string;
}

function stdio({ command, args, cwd, env }: StdioTarget, writer: Writer): Entry {
  const { spelling, read, to, text, lost } = writer;
  const program = text(command, 'command');
  const words = args.map((word, index) => text(word, `args[${index}]`));
  const environment = { ...inherited(writer), ...texts(env, 'env', writer) };
  if (cwd !== undefined && !spelling.cwd) lost.push(`${to.title} has no "cwd": "${cwd}" is left out`);
  if (cwd !== undefined && spelling.cwd && !isAbsolute(cwd))
    lost.push(`"cwd" is relative, and ${to.title} may start in another directory: "${cwd}"`);
  if (read.envFile !== undefined && !spelling.envFile)
    lost.push(`${to.title} has no "envFile": "${read.envFile}" is left out`);
  const type = spelling.types?.stdio;
  const isCodex = to.name === 'codex' && read.inheritedVariables.length > 0;
  return {
    ...(type !== undefined && { type }),
    ...(spelling.commandList
      ? { command: [program, ...words] }
      : { command: program, ...(words.length > 0 && { args: words }) }),
    ...(Object.keys(environment).length > 0 && { [spelling.env]: environment }),
    ...(isCodex && { env_vars: [...read.inheritedVariables] }),
    ...(cwd !== undefined && spelling.cwd && { cwd: text(cwd, 'cwd') }),
    ...(read.envFile !== undefined && spelling.envFile && { envFile: text(read.envFile, 'envFile') }),
  };
}

/** The variables that are passed on unchanged, in a format that has no list of them. */
function inherited({ read, to, lost }: Writer): Record<string, string> {
  if (to.name === 'codex') return {};
  const entries = read.inheritedVariables.flatMap((name): [string, string][] => {
    const variable = variableText(name, to.variables);
    if (variable !== undefined) return [[name, variable]];
    lost.push(`${to.title} has no variables: ${name} of the environment is not passed on`);
    return [];
  });
  return Object.fromEntries(entries);
}

function texts(values: Readonly<Record<string, string>>, key: string, { text }: Writer) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, text(value, `${key}.${name}`)]),
  );
}

function http({ url, headers, transport, oauth }: HttpTarget, writer: Writer): Entry {
  const { spelling, from, to, text, lost } = writer;
  // In some hosts, a URL without a transport is one of HTTP+SSE.
  const isSse = transport === 'sse' || (transport === 'auto' && from.untypedUrl === 'sse');
  if (!spelling.url) throw new Error(`${to.title} starts commands only, and cannot have a server with a URL`);
  const key = isSse ? spelling.url.sse : spelling.url.http;
  if (key === undefined) throw new Error(`${to.title} has no servers with HTTP+SSE`);
  const type = isSse ? spelling.types?.sse : spelling.types?.http;
  if (isSse && type === spelling.types?.http && spelling.url.http === key)
    lost.push(`${to.title} does not say which transport a URL has: HTTP+SSE is left out`);
  const all = { ...texts(headers, 'headers', writer), ...variableHeaders(writer) };
  return {
    ...(type !== undefined && { type }),
    [key]: text(url, 'url'),
    ...(Object.keys(all).length > 0 && { [spelling.headers]: all }),
    ...codexHeaders(writer),
    ...login(oauth, writer),
  };
}

/** The headers whose values are in variables of the environment, as headers with variables. */
function variableHeaders({ read, to, lost }: Writer): Record<string, string> {
  if (to.name === 'codex') return {};
  const entries = Object.entries(read.headerVariables).flatMap(([header, written]): [string, string][] => {
    const name = written.replace(/^Bearer /, '');
    const variable = variableText(name, to.variables);
    if (variable !== undefined) return [[header, written.replace(name, () => variable)]];
    lost.push(`${to.title} has no variables: the header "${header}", from ${name}, is left out`);
    return [];
  });
  return Object.fromEntries(entries);
}

function codexHeaders({ read, to }: Writer): Entry {
  if (to.name !== 'codex') return {};
  const entries = Object.entries(read.headerVariables);
  const isToken = ([name, value]: readonly [string, string]) =>
    name.toLowerCase() === 'authorization' && value.startsWith('Bearer ');
  const token = entries.find(isToken);
  const others = entries.filter((each) => !isToken(each));
  return {
    ...(token && { bearer_token_env_var: token[1].replace(/^Bearer /, '') }),
    ...(others.length > 0 && { env_http_headers: Object.fromEntries(others) }),
  };
}

function login(oauth: OAuthSettings | undefined, { spelling, to, lost, text }: Writer): Entry {
  if (!oauth) return {};
  const [key, keys] = spelling.oauth ?? ['oauth', {}];
  const settings: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(oauth) as [keyof OAuthSettings, unknown][]) {
    if (value === undefined) continue;
    const written = keys[name];
    if (written === undefined) lost.push(`${to.title} has no setting for the "${name}" of a login`);
    else if (name === 'clientSecret' && typeof value === 'string')
      settings[written] = text(value, 'oauth.clientSecret');
    else settings[written] = Array.isArray(value) && written === 'scope' ? value.join(' ') : value;
  }
  return Object.keys(settings).length > 0 ? { [key]: settings } : {};
}

function filters({ read, to, lost }: Writer): Entry {
  const { allow, deny } = read.tools;
  const isNone = allow.length === 0 && deny.includes('*');
  const [allowKey] = to.allowKeys;
  const [denyKey] = to.denyKeys;
  if (isNone && allowKey !== undefined) return { [allowKey]: [] };
  const say = (names: readonly string[], what: string) =>
    lost.push(`${to.title} has no list of tools to ${what}: ${names.join(', ')}`);
  if (allow.length > 0 && allowKey === undefined) say(allow, 'show');
  if (deny.length > 0 && denyKey === undefined) say(deny, 'hide');
  const isCopilot = to.name === 'copilot' && allow.length === 0;
  return {
    ...(allow.length > 0 && allowKey !== undefined && { [allowKey]: [...allow] }),
    // Copilot CLI shows no tool of an entry without this list.
    ...(isCopilot && { tools: ['*'] }),
    ...(deny.length > 0 && denyKey !== undefined && { [denyKey]: [...deny] }),
  };
}

function timeouts({ read, to, spelling, lost }: Writer): Entry {
  const { callTimeoutMs, startTimeoutMs } = read;
  const limit = (ms: number, usual: number, key: Spelling['callTimeout'], what: string): Entry => {
    if (ms === usual) return {};
    if (key) return { [key[0]]: ms / key[1] };
    lost.push(`${to.title} has no time limit of ${what}: ${ms / 1_000} s is left out`);
    return {};
  };
  return {
    ...limit(startTimeoutMs, defaultStartTimeoutMs, spelling.startTimeout, 'a start'),
    ...limit(callTimeoutMs, defaultCallTimeoutMs, spelling.callTimeout, 'a call'),
  };
}

function disabled({ read, to, spelling, lost }: Writer): Entry {
  if (read.enabled) return {};
  if (spelling.disabled) return { [spelling.disabled[0]]: spelling.disabled[1] };
  lost.push(`${to.title} cannot disable an entry: the server is enabled there`);
  return {};
}
