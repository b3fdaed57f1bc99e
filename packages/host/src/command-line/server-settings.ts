import { noClientId, type TypedSettings } from '../config/entry/typed-entry.ts';
import { usageError } from '../errors.ts';
import { type OptionValues, valueOf } from './command.ts';
import { millisecondsOf } from './option-values.ts';

/** The options that belong to a server which the command line names. */
export const serverOptions = ['env', 'header', 'client-id', 'start-timeout'] as const;

/** `--env` as pairs; the value is undefined for the name of a variable alone. */
export function variablesOf({ env }: OptionValues): (readonly [name: string, value: string | undefined])[] {
  return listOf(env).map((word) => {
    const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(word)!;
    if (!/^[^\s\0]+$/.test(name)) throw usageError(`Invalid --env: "${name}"; expected NAME=value, or NAME`);
    return [name, value] as const;
  });
}

/** `--header` as pairs of a name and a value. */
export function headersOf({ header }: OptionValues): (readonly [name: string, value: string])[] {
  return listOf(header).map((word) => {
    const [, name = '', value] = /^([^:\s]+):\s*(.*?)\s*$/s.exec(word) ?? [];
    // The value is not shown, because it may be a secret.
    if (!word.includes(':')) throw usageError("Invalid --header without a colon; expected 'Name: value'");
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || value === undefined || /[\r\n\0]/.test(value))
      throw usageError(`Invalid --header: "${word.split(':', 1)[0]}"; expected 'Name: value'`);
    return [name, value] as const;
  });
}

/** `--client-id`; undefined if it is not given. */
export function clientIdOf(options: OptionValues): string | undefined {
  const id = valueOf(options, 'client-id');
  // RFC 6749, appendix A.1.
  if (id !== undefined && !/^[ -~]+$/.test(id))
    throw usageError(`Invalid --client-id: "${id}"; expected visible characters of ASCII`);
  return id;
}

/** Throws a `HostError` for an option that a command, or a URL, does not have. */
export function refuseOptionsOfOthers(kind: 'stdio' | 'http', options: OptionValues): void {
  if (kind === 'http') {
    const given = ['cwd', 'env'].find((name) => options[name] !== undefined);
    if (given !== undefined)
      throw usageError(`--${given} is for a server that is a command, and this one has a URL`);
    return;
  }
  if (options['header'] !== undefined)
    throw usageError('--header is for a server with a URL, and this one is a command');
  if (clientIdOf(options) !== undefined) throw noClientId();
}

/** The settings of a server that the command line names, with variables of this process's environment. */
export function serverSettings(options: OptionValues, environment: NodeJS.ProcessEnv): TypedSettings {
  const variable = (name: string, option: string) => {
    const value = environment[name];
    if (value === undefined) throw usageError(`The variable ${name} of ${option} is not set`);
    return value;
  };
  const env = variablesOf(options).map(([name, value]) => [name, value ?? variable(name, '--env')]);
  const headers = headersOf(options).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{(\w+)\}/g, (_, each: string) => variable(each, '--header')),
  ]);
  return {
    env: Object.fromEntries(env),
    headers: Object.fromEntries(headers),
    clientId: clientIdOf(options),
    startTimeoutMs: millisecondsOf(options, 'start-timeout'),
  };
}

function listOf(value: OptionValues[string]): readonly string[] {
  return Array.isArray(value) ? value : [];
}
