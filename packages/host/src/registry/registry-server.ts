import { isObject } from '@mcp/kit';
import { isTooDeep, maxNesting } from '../is-too-deep.ts';

/** A value that a user may give, as a server in the registry describes it. */
export interface Input {
  readonly description?: string | undefined;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly format: 'string' | 'number' | 'boolean' | 'filepath';
  /** A fixed value; `{name}` in it stands for one of the `variables`. */
  readonly value?: string | undefined;
  readonly default?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly choices: readonly string[];
  readonly variables: Readonly<Record<string, Input>>;
}

/** A variable of the environment, or a header. */
export interface NamedInput extends Input {
  readonly name: string;
}

export interface Argument extends Input {
  /** `--flag` before the value; undefined for an argument that its place determines. */
  readonly name?: string | undefined;
  /** What the value of a positional argument is, such as `directory`. */
  readonly hint?: string | undefined;
  readonly isRepeated: boolean;
}

export interface Remote {
  /** `streamable-http`, `sse` or, for a package, also `stdio`. */
  readonly type: string;
  readonly url: string;
  readonly headers: readonly NamedInput[];
  readonly variables: Readonly<Record<string, Input>>;
}

export interface RegistryPackage {
  /** `npm`, `pypi`, `oci`, `nuget` or `mcpb`. */
  readonly registryType: string;
  readonly registryBaseUrl?: string | undefined;
  readonly identifier: string;
  readonly version?: string | undefined;
  readonly fileSha256?: string | undefined;
  /** The program that the author means to start the package with. */
  readonly runtimeHint?: string | undefined;
  readonly transport: Remote;
  readonly runtimeArguments: readonly Argument[];
  readonly packageArguments: readonly Argument[];
  readonly environmentVariables: readonly NamedInput[];
}

/** A version of a server, as the registry's API v0.1 describes it (`ServerResponse`). */
export interface RegistryServer {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly version: string;
  readonly websiteUrl?: string | undefined;
  readonly repositoryUrl?: string | undefined;
  /** `active`, `deprecated` or `deleted`. */
  readonly status: string;
  readonly publishedAt?: string | undefined;
  readonly packages: readonly RegistryPackage[];
  readonly remotes: readonly Remote[];
  /** The response as the registry has sent it. */
  readonly written: JsonObject;
}

type JsonObject = { readonly [key: string]: unknown };

const officialMeta = 'io.modelcontextprotocol.registry/official';

/**
 * Reads a server of a response. Keys of a wrong type count as missing, except for those that decide what is
 * started: these throw an `Error` with the key. Unknown keys are ignored: registries extend the format.
 */
export function readServer(response: unknown): RegistryServer {
  if (!isObject(response)) throw new Error('a server must be an object');
  if (isTooDeep(response)) throw new Error(`a server has more than ${maxNesting} levels of nesting`);
  const server = objectOf(response, 'server');
  const meta = objectOf(objectOf(response, '_meta'), officialMeta);
  return {
    name: required(server, 'name', 'server'),
    title: textOf(server, 'title'),
    description: textOf(server, 'description') ?? '',
    version: required(server, 'version', 'server'),
    websiteUrl: textOf(server, 'websiteUrl'),
    repositoryUrl: textOf(objectOf(server, 'repository'), 'url'),
    status: textOf(meta, 'status') ?? 'active',
    publishedAt: textOf(meta, 'publishedAt'),
    packages: listOf(server, 'packages', readPackage),
    remotes: listOf(server, 'remotes', readRemote),
    written: response,
  };
}

function readPackage(written: JsonObject, at: string): RegistryPackage {
  const transport = written['transport'] ?? { type: 'stdio' };
  if (!isObject(transport)) throw new Error(`"${at}.transport" must be an object`);
  return {
    registryType: required(written, 'registryType', at),
    registryBaseUrl: decidingText(written, 'registryBaseUrl', at),
    identifier: required(written, 'identifier', at),
    version: decidingText(written, 'version', at),
    fileSha256: decidingText(written, 'fileSha256', at),
    runtimeHint: textOf(written, 'runtimeHint'),
    transport: readRemote({ url: '', ...transport }, `${at}.transport`),
    runtimeArguments: listOf(written, 'runtimeArguments', readArgument, at),
    packageArguments: listOf(written, 'packageArguments', readArgument, at),
    environmentVariables: listOf(written, 'environmentVariables', readNamed, at),
  };
}

function readRemote(written: JsonObject, at: string): Remote {
  return {
    type: required(written, 'type', at),
    url: typeof written['url'] === 'string' ? written['url'] : required(written, 'url', at),
    headers: listOf(written, 'headers', readNamed, at),
    variables: readVariables(written, at),
  };
}

function readArgument(written: JsonObject, at: string): Argument {
  return {
    ...readInput(written, at),
    name: written['type'] === 'named' ? required(written, 'name', at) : undefined,
    hint: textOf(written, 'valueHint'),
    isRepeated: written['isRepeated'] === true,
  };
}

function readNamed(written: JsonObject, at: string): NamedInput {
  return { ...readInput(written, at), name: required(written, 'name', at) };
}

function readInput(written: JsonObject, at: string): Input {
  return { ...readVariable(written, at), variables: readVariables(written, at) };
}

/** The variables of a value. They have none themselves. */
function readVariables(written: JsonObject, at: string): Readonly<Record<string, Input>> {
  return Object.fromEntries(
    Object.entries(objectOf(written, 'variables')).map(([name, each]) => [
      name,
      readVariable(isObject(each) ? each : {}, `${at}.variables.${name}`),
    ]),
  );
}

function readVariable(written: JsonObject, at: string): Input {
  const { choices, format } = written;
  return {
    description: textOf(written, 'description'),
    isRequired: written['isRequired'] === true,
    isSecret: written['isSecret'] === true,
    format: format === 'number' || format === 'boolean' || format === 'filepath' ? format : 'string',
    value: decidingText(written, 'value', at),
    default: decidingText(written, 'default', at),
    placeholder: textOf(written, 'placeholder'),
    choices: Array.isArray(choices) ? choices.filter((each) => typeof each === 'string') : [],
    variables: {},
  };
}

function required(written: JsonObject, key: string, at: string): string {
  const value = written[key];
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`"${at}.${key}" must be a text`);
}

/** A text; numbers and booleans, which some publishers write, as texts. */
function textOf(written: JsonObject, key: string): string | undefined {
  const value = written[key];
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value : undefined;
}

/** A text that may be missing or null. Throws for another type. */
function decidingText(written: JsonObject, key: string, at: string): string | undefined {
  const text = textOf(written, key);
  if (text === undefined && (written[key] ?? undefined) !== undefined)
    throw new Error(`"${at}.${key}" must be a text`);
  return text;
}

function objectOf(written: JsonObject, key: string): JsonObject {
  const value = written[key];
  return isObject(value) ? value : {};
}

/** What a list has, which may be missing or null. Throws for another type. */
function listOf<T>(
  written: JsonObject,
  key: string,
  read: (each: JsonObject, at: string) => T,
  at?: string,
): readonly T[] {
  const path = at === undefined ? key : `${at}.${key}`;
  const list = written[key] ?? [];
  if (!Array.isArray(list)) throw new Error(`"${path}" must be a list`);
  return list.map((each: unknown, index) => {
    if (!isObject(each)) throw new Error(`"${path}[${index}]" must be an object`);
    return read(each, `${path}[${index}]`);
  });
}
