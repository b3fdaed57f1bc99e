import { dirname, resolve } from 'node:path';
import type { ExpandedVariable, HttpTarget, ServerEntry, StdioTarget } from './server-entry.ts';
import { readEnvFile } from './read-env-file.ts';
import { maskAddresses } from './mask-secrets.ts';
import type { ReadEntry } from './read-entry.ts';
import { expandVariables, UnsetVariable, type VariableScope } from './expand-variables.ts';

type Source = Pick<ServerEntry, 'name' | 'scope' | 'origin' | 'project'>;

/** Where an entry is resolved; `current` is the current directory. */
interface EntryScope extends VariableScope {
  readonly current?: string;
}

/** Expands the variables of an entry; throws an `UnsetVariable` where the format requires a value. */
export async function resolveEntry(
  entry: ReadEntry,
  source: Source,
  scope: EntryScope,
): Promise<ServerEntry> {
  const variables: ExpandedVariable[] = [];
  const expand = (value: string, key: string) => expandVariables(value, key, scope, variables);
  const expandAll = async (values: Readonly<Record<string, string>>, key: string) => {
    const entries: [string, string][] = [];
    for (const [name, value] of Object.entries(values))
      entries.push([name, await expand(value, `${key}.${name}`)]);
    return Object.fromEntries(entries);
  };
  const target =
    entry.target.kind === 'stdio'
      ? await resolveStdio(entry.target, entry, scope, { expand, expandAll, variables })
      : await resolveHttp(entry.target, entry, scope, { expand, expandAll, variables });
  const { enabled, tools, startTimeoutMs, callTimeoutMs, notes } = entry;
  return { ...source, target, enabled, tools, startTimeoutMs, callTimeoutMs, notes, variables };
}

interface Expansion {
  readonly expand: (value: string, key: string) => Promise<string>;
  readonly expandAll: (
    values: Readonly<Record<string, string>>,
    key: string,
  ) => Promise<Readonly<Record<string, string>>>;
  readonly variables: ExpandedVariable[];
}

async function resolveStdio(
  target: StdioTarget,
  { envFile, inheritedVariables }: ReadEntry,
  scope: EntryScope,
  { expand, expandAll, variables }: Expansion,
): Promise<StdioTarget> {
  const args: string[] = [];
  const command = await expand(target.command, 'command');
  for (const [index, value] of target.args.entries()) args.push(await expand(value, `args[${index}]`));
  const inherited = Object.fromEntries(
    inheritedVariables.flatMap((name) => {
      const value = scope.env[name];
      if (value === undefined) return [];
      variables.push({ text: name, key: 'env_vars', source: 'environment', value });
      return [[name, value]];
    }),
  );
  const path = envFile === undefined ? undefined : await expand(envFile, 'envFile');
  const fromFile = path === undefined ? {} : await readEnvFile(resolve(dirname(scope.file), path));
  const cwd = target.cwd === undefined ? undefined : await expand(target.cwd, 'cwd');
  return {
    ...target,
    command,
    args,
    env: { ...inherited, ...fromFile, ...(await expandAll(target.env, 'env')) },
    cwd: cwd === undefined ? projectAbove(scope) : resolve(directoryOf(scope), cwd),
  };
}

/** The directory of the project, if it is not the current one. */
function projectAbove({ cwd, current }: EntryScope): string | undefined {
  return current === undefined || cwd === current ? undefined : cwd;
}

/** The directory that a relative `cwd` is resolved against. */
function directoryOf({ format, file, cwd }: VariableScope): string {
  return format.cwdBelow === 'file' ? dirname(file) : cwd;
}

async function resolveHttp(
  target: HttpTarget,
  { headerVariables }: ReadEntry,
  scope: VariableScope,
  { expand, expandAll, variables }: Expansion,
): Promise<HttpTarget> {
  const url = await expand(target.url, 'url');
  if (!URL.canParse(url)) throw new Error(`"url" must be an absolute address; got "${maskAddresses(url)}"`);
  const { protocol, username, password } = new URL(url);
  if (!/^(?:https?|unix|pipe):$/.test(protocol))
    throw new Error(`"url" must begin with http://, https://, unix:/ or pipe:/; got "${protocol}"`);
  if (username !== '' || password !== '')
    throw new Error('"url" must not contain a user or a password: put them into "headers"');
  const fromEnvironment = Object.entries(headerVariables).map(([header, written]): [string, string] => {
    const name = written.replace(/^Bearer /, '');
    const value = scope.env[name];
    if (value === undefined)
      throw new UnsetVariable(`The variable ${name} for the header "${header}" is not set`);
    variables.push({ text: name, key: `headers.${header}`, source: 'environment', value });
    return [header, written.startsWith('Bearer ') ? `Bearer ${value}` : value];
  });
  const headers = { ...(await expandAll(target.headers, 'headers')), ...Object.fromEntries(fromEnvironment) };
  const { oauth } = target;
  const clientSecret = oauth?.clientSecret && (await expand(oauth.clientSecret, 'oauth.clientSecret'));
  return { ...target, url, headers, oauth: oauth && { ...oauth, clientSecret } };
}
