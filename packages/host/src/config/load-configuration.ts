import { isObject, messageOf } from '@mcp/kit';
import type { Document } from '@mcp/kit/jsonc';
import { HostError } from '../errors.ts';
import { isTooDeep, maxNesting } from '../is-too-deep.ts';
import type { Origin, Scope, ServerEntry } from './entry/server-entry.ts';
import { WrongValue } from './entry/entry-values.ts';
import { type Format, formats } from './formats/formats.ts';
import { containersOf, isPermitted } from './formats/containers.ts';
import { formatOfContainer, namedFile } from './formats/file-format.ts';
import { inputsOf } from './entry/inputs.ts';
import { readEntry } from './entry/read-entry.ts';
import { resolveEntry } from './entry/resolve-entry.ts';
import { type AskInput, UnsetVariable } from './entry/expand-variables.ts';
import { type Environment, type WellKnownFile, wellKnownFiles } from './formats/well-known-files.ts';
import { homeDirectory } from './home-directory.ts';
import { fileProblem, readDocuments } from './read-documents.ts';

/** A server of a configuration file, before its variables are expanded. */
export interface ConfiguredServer {
  readonly name: string;
  readonly scope: Scope;
  readonly origin: Origin;
  /** The host whose format the file has. */
  readonly format: Format;
  readonly enabled: boolean;
  /** The directory of the project that has the file; undefined for a file of the user. */
  readonly project?: string | undefined;
  /** The keys that lead to the entry in its file, and the entry as the file has it. */
  readonly path: readonly string[];
  readonly written: unknown;
  /** The entries of the same name in files of lower precedence, which this entry hides. */
  readonly hidden: readonly Origin[];
  /** Expands the variables; throws a `HostError` if the entry is wrong or a variable has no value. */
  resolve(askInput?: AskInput): Promise<ServerEntry>;
}

/** A configuration file that cannot be used; the other files are used all the same. */
export interface ConfigurationProblem {
  readonly file: string;
  readonly error: HostError;
}

/** The servers of all configuration files that were read. */
export interface Configuration {
  /**
   * The servers of all files. If several have the same name, only the one in the file of the highest
   * precedence.
   */
  readonly servers: readonly ConfiguredServer[];
  /** The servers that others of the same names hide, in the order of their files. */
  readonly shadowed: readonly ConfiguredServer[];
  /** The files that cannot be used. */
  readonly problems: readonly ConfigurationProblem[];
  /** The files that were read, those of higher precedence first. */
  readonly files: readonly WellKnownFile[];
}

/** Which files to read, for which home directory, environment and system. Defaults: those of this process. */
export interface LoadOptions extends Partial<Environment> {
  /** Files to read instead of the well-known ones. */
  readonly files?: readonly string[] | undefined;
  /** Aborts the reading of a file, because reading a named pipe may never end. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the configuration files that exist. Of several servers with one name, the one in the file of the
 * highest precedence is used.
 * @example
 * ```ts
 * import { loadConfiguration } from '@mcp/host';
 *
 * const { servers, problems } = await loadConfiguration({ files: ['mcp.json'] });
 * const entries = await Promise.all(servers.map((server) => server.resolve()));
 * console.log(entries.map(({ name, scope }) => [name, scope]), problems); // [ [ 'files', 'user' ] ] []
 * ```
 */
export async function loadConfiguration(options: LoadOptions = {}): Promise<Configuration> {
  const environment = environmentOf(options);
  const files: WellKnownFile[] = [];
  const problems: ConfigurationProblem[] = [];
  const shadowed: ConfiguredServer[] = [];
  const servers = new Map<string, ConfiguredServer & { hidden: Origin[] }>();
  const wanted = candidates(options);
  const documents = await readDocuments(wanted, options);
  for (const file of wanted) {
    try {
      const document = documents.get(file.path);
      if (!document) continue;
      if (document instanceof Error) {
        documents.delete(file.path);
        throw document;
      }
      if (!files.some(({ path }) => path === file.path)) files.push(file);
      for (const server of serversOf(file, document, environment)) {
        const stronger = servers.get(server.name);
        if (stronger) {
          stronger.hidden.push(server.origin);
          shadowed.push({ ...server, hidden: [] });
        } else servers.set(server.name, { ...server, hidden: [] });
      }
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      problems.push({ file: file.path, error });
    }
  }
  return { servers: [...servers.values()], shadowed, problems, files };
}

/** The files of a configuration, whether they exist or not; those of higher precedence first. */
export function candidates(options: LoadOptions): readonly WellKnownFile[] {
  const known = wellKnownFiles(environmentOf(options));
  return options.files?.map((path) => namedFile(path, known)) ?? known;
}

/** The environment of options; by default that of this process. */
export function environmentOf({ home, cwd, env, platform }: LoadOptions): Environment {
  return {
    home: home ?? homeDirectory(),
    cwd: cwd ?? process.cwd(),
    env: env ?? process.env,
    platform: platform ?? process.platform,
  };
}

function serversOf(
  { path: file, format: formatName, scope, part, project }: WellKnownFile,
  document: Document,
  current: Environment,
): Omit<ConfiguredServer, 'hidden'>[] {
  const environment = { ...current, cwd: project ?? current.cwd };
  const named: Format = formats[formatName];
  const { root } = document;
  if (!isObject(root)) throw fileProblem(file, 1, `the file must contain an object; got ${shown(root)}`);
  const format = named.name === 'any' ? formatOfContainer(root) : named;
  const inputs = inputsOf(root);
  let containers: ReturnType<typeof containersOf>;
  try {
    containers = containersOf(root, format, environment.cwd, part);
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error;
    throw fileProblem(file, document.lineOf([error.key]), error.message);
  }
  return containers.flatMap(({ keys, entries }) =>
    Object.entries(entries).map(([name, entry]) => {
      const origin = originOf(file, () => document.lineOf([...keys, name]));
      const problem = (error: unknown) =>
        entryProblem(name, origin, document.lineOf(keysOf(error, [...keys, name])), error);
      return {
        name,
        scope,
        origin,
        format,
        project,
        path: [...keys, name],
        written: entry,
        enabled:
          // An entry that is not an object counts as enabled, and is reported when it is used.
          !isObject(entry) ||
          (entry['disabled'] !== true && entry['enabled'] !== false && isPermitted(name, root, format)),
        async resolve(askInput: AskInput = () => undefined) {
          try {
            if (!isObject(entry)) throw new Error('an entry must be an object');
            if (isTooDeep(entry))
              throw new Error(`an entry must not be nested deeper than ${maxNesting} levels`);
            const read = readEntry(entry, format);
            return await resolveEntry(
              read,
              { name, scope, origin, project },
              { ...environment, current: current.cwd, format, file, inputs, askInput },
            );
          } catch (error) {
            throw problem(error);
          }
        },
      };
    }),
  );
}

/** An origin that searches for its line only when `line` is accessed, because few commands show it. */
function originOf(file: string, lineOf: () => number): Origin {
  let line: number | undefined;
  return {
    file,
    get line() {
      return (line ??= lineOf());
    },
  };
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 60);
}

function keysOf(error: unknown, keys: readonly string[]): readonly string[] {
  const key = error instanceof Error && 'key' in error ? String(error.key) : undefined;
  return key === undefined ? keys : [...keys, ...key.split('.')];
}

function entryProblem(name: string, { file }: Origin, line: number, error: unknown): HostError {
  const message = `Server "${name}" in "${file}", line ${line}: ${messageOf(error)}`;
  const isUnset = error instanceof UnsetVariable;
  const hint = isUnset ? 'set the variable in the environment' : 'correct the entry in this file';
  return new HostError(message, { server: name, phase: 'configuration', hint, cause: error });
}
