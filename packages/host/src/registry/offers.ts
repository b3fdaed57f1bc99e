import { mask } from '../config/entry/mask-secrets.ts';
import type { HttpTarget, StdioTarget } from '../config/entry/server-entry.ts';
import {
  answerKey,
  type Answers,
  argumentName,
  filled,
  namesIn,
  type Question,
  questionsOf,
  valueOfInput,
  wordsOf,
} from './fill-inputs.ts';
import type { NamedInput, RegistryPackage, RegistryServer, Remote } from './registry-server.ts';

/** One way to use a server of the registry: a package to start, or an address to call. */
export interface Offer {
  /** The name of this way for `--use`: the type of the package, or `remote`. */
  readonly use: string;
  readonly label: string;
  /** Why it cannot be used; undefined if it can. */
  readonly unusable: string | undefined;
  /** The file that must be downloaded first; undefined for other kinds. */
  readonly bundle?: { readonly url: string; readonly sha256: string } | undefined;
  readonly questions: readonly Question[];
  /** The words that the author adds for the launcher itself, such as an option of `npx`. */
  launcherWords(answers: Answers): readonly string[];
  /** What is started or called with these answers. Throws an `Error` for a text that is wrong. */
  target(answers: Answers): StdioTarget | HttpTarget;
}

/** The ways to use a server: its packages, then its addresses, in their order. */
export function offersOf({ packages, remotes }: RegistryServer): readonly Offer[] {
  return [...packages.map(packageOffer), ...remotes.map(remoteOffer)];
}

/** How the packages of a registry are started. Each word is an argument: no shell reads it. */
interface Launcher {
  readonly command: string;
  /** Other programs that start the same packages, if the author means them. */
  readonly hints?: readonly string[];
  /** The registries that the launcher uses without an option. */
  readonly registries: RegExp;
  /** What an identifier and a version must be, so that neither is an option or another source. */
  readonly identifier: RegExp;
  words(parts: {
    readonly pack: RegistryPackage;
    readonly runtime: readonly string[];
    readonly own: readonly string[];
    readonly variables: readonly string[];
  }): readonly string[];
}

const versionPattern = /^[A-Za-z0-9][\w.+!-]*$/;
/** What launchers take for a file of the current directory, instead of a name or a version. */
const archive = /\.(?:tgz|tar|tar\.gz|zip|whl)$/i;

const launchers: Readonly<Record<string, Launcher>> = {
  npm: {
    command: 'npx',
    hints: ['npx', 'bunx', 'pnpx'],
    registries: /^https:\/\/registry\.npmjs\.(?:org|com)\/?$/,
    identifier: /^(?:@[\w.~-]+\/)?[\w~][\w.~-]*$/,
    words: ({ pack, runtime, own }) => [
      ...(runtime.some((word) => word === '-y' || word === '--yes') ? [] : ['-y']),
      ...runtime,
      withVersion(pack, '@'),
      ...own,
    ],
  },
  pypi: {
    command: 'uvx',
    registries: /^https:\/\/(?:www\.)?pypi\.org(?:\/simple)?\/?$/,
    identifier: /^\w[\w.-]*$/,
    words: ({ pack, runtime, own }) => [...runtime, withVersion(pack, '@'), ...own],
  },
  oci: {
    command: 'docker',
    hints: ['docker', 'podman'],
    registries: /^https:\/\/(?:docker\.io|index\.docker\.io|ghcr\.io|quay\.io)\/?$/,
    identifier: /^[\w.-]+(?::\d+)?(?:\/[\w.-]+)*(?::[\w.-]+)?(?:@sha256:[\da-f]{64})?$/,
    words: ({ pack, runtime, own, variables }) => [
      'run',
      '-i',
      '--rm',
      ...variables.flatMap((name) => ['-e', name]),
      ...runtime.filter((word) => !['run', '-i', '--rm'].includes(word)),
      /[:@][^/]*$/.test(pack.identifier) ? pack.identifier : withVersion(pack, ':'),
      ...own,
    ],
  },
  nuget: {
    command: 'dnx',
    registries: /^https:\/\/api\.nuget\.org(?:\/v3\/index\.json)?\/?$/,
    identifier: /^\w[\w.-]*$/,
    words: ({ pack, runtime, own }) => [
      withVersion(pack, '@'),
      ...(runtime.includes('--yes') ? [] : ['--yes']),
      ...runtime,
      ...(own.length > 0 ? ['--', ...own] : []),
    ],
  },
};

/** The words that launchers get in any case. */
const usualWords: readonly string[] = ['-y', '--yes', 'run', '-i', '--rm'];

function withVersion({ identifier, version }: RegistryPackage, sign: string): string {
  return version === undefined ? identifier : `${identifier}${sign}${version}`;
}

function packageOffer(pack: RegistryPackage): Offer {
  const { registryType, identifier, version = '', runtimeArguments, packageArguments } = pack;
  const launcher = Object.hasOwn(launchers, registryType) ? launchers[registryType] : undefined;
  const args = [...runtimeArguments.entries(), ...packageArguments.entries()];
  return {
    use: registryType,
    label: `${registryType} ${withVersion(pack, '@')}`,
    unusable: launcher ? unusable(pack, launcher) : unknownKind(pack),
    bundle: registryType === 'mcpb' ? { url: identifier, sha256: pack.fileSha256 ?? '' } : undefined,
    questions: unique([
      ...args.flatMap(([index, each]) => questionsOf('input', argumentName(each, index), each)),
      ...pack.environmentVariables.flatMap((each) => questionsOf('env', each.name, each)),
    ]),
    launcherWords: (answers) =>
      wordsOf(runtimeArguments, answers).filter((word) => !usualWords.includes(word)),
    target: (answers) => {
      const env = named('env', pack.environmentVariables, answers);
      // The manifest of a bundle says how it is started.
      if (!launcher) return { kind: 'stdio', command: identifier, args: [], env };
      const hint = launcher.hints?.find((each) => each === pack.runtimeHint);
      const words = launcher.words({
        pack: { ...pack, identifier, version: version === '' ? undefined : version },
        runtime: wordsOf(runtimeArguments, answers),
        own: wordsOf(packageArguments, answers),
        variables: Object.keys(env),
      });
      return { kind: 'stdio', command: hint ?? launcher.command, args: words, env };
    },
  };
}

function unusable(pack: RegistryPackage, { registries, identifier }: Launcher): string | undefined {
  const { registryBaseUrl, transport, version } = pack;
  if (transport.type !== 'stdio') return `it serves ${transport.type}: start it yourself, and add its URL`;
  if (!identifier.test(pack.identifier) || pack.identifier.startsWith('-') || archive.test(pack.identifier))
    return `${JSON.stringify(pack.identifier)} is no name of a package`;
  if (version !== undefined && (!versionPattern.test(version) || archive.test(version)))
    return `${JSON.stringify(version)} is no version of a package`;
  if (registryBaseUrl !== undefined && !registries.test(registryBaseUrl))
    return `it is in another registry of packages: ${registryBaseUrl}`;
  return undefined;
}

function unknownKind({ registryType, fileSha256 = '' }: RegistryPackage): string | undefined {
  if (registryType !== 'mcpb') return `mcp starts no packages of "${registryType}"`;
  return /^[\da-f]{64}$/i.test(fileSha256) ? undefined : 'the registry has no SHA-256 of this bundle';
}

const transports = { 'streamable-http': 'streamable', sse: 'sse' } as const;

function remoteOffer({ type, url, headers, variables }: Remote): Offer {
  const transport = Object.hasOwn(transports, type) ? transports[type as keyof typeof transports] : undefined;
  return {
    use: 'remote',
    label: `${type} ${url}`,
    unusable: transport === undefined ? `mcp does not know the transport "${type}"` : undefined,
    questions: unique([
      ...namesIn(url)
        .filter((name) => Object.hasOwn(variables, name))
        .map((name) => ({ kind: 'input' as const, name, input: variables[name]! })),
      ...headers.flatMap((each) => questionsOf('header', each.name, each)),
    ]),
    launcherWords: () => [],
    target: (answers) => {
      const address = filled(url, variables, answers);
      // An answer may be a secret: it is not in the message, and a mask stands for it where it is shown.
      if (!/^https?:\/\//i.test(address) || !URL.canParse(address.replaceAll(mask, '1')))
        throw new Error(`${JSON.stringify(url)} with these values is no address of a server`);
      const given = named('header', headers, answers);
      return { kind: 'http', url: address, transport: transport ?? 'auto', headers: given };
    },
  };
}

/** The values of described variables or headers, and those that the user gives beside them. */
function named(
  kind: 'env' | 'header',
  inputs: readonly NamedInput[],
  answers: Answers,
): Readonly<Record<string, string>> {
  const pattern = kind === 'env' ? /^[A-Za-z_]\w*$/ : /^[\w!#$%&'*+.^`|~-]+$/;
  const described = new Set(inputs.map(({ name }) => answerKey({ kind, name })));
  const others = Array.from(answers).flatMap(([key, [value = '']]): [string, string][] =>
    key.startsWith(`${kind}:`) && !described.has(key) ? [[key.slice(kind.length + 1), value]] : [],
  );
  const values = inputs.flatMap((input): [string, string][] => {
    if (!pattern.test(input.name))
      throw new Error(
        `${JSON.stringify(input.name)} is no name of ${kind === 'env' ? 'a variable' : 'a header'}`,
      );
    const value = valueOfInput(kind, input, answers);
    return value === undefined ? [] : [[input.name, value]];
  });
  return Object.fromEntries([...values, ...others]);
}

/** One question for each name; the first of several counts. */
function unique(questions: readonly Question[]): Question[] {
  return [
    ...new Map(questions.toReversed().map((each) => [`${each.kind}:${each.name}`, each])).values(),
  ].toReversed();
}
