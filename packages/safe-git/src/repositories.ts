import { existsSync } from 'node:fs';
import { basename, isAbsolute, join, sep } from 'node:path';
import { KeyedQueue, messageOf } from '@mcp/kit';
import { openRoots } from '@mcp/kit/node';
import {
  AllowedDirectories,
  isInside,
  NoSuchDirectoryError,
  realDirectory,
} from './access/allowed-directories.ts';
import { repositoriesInside } from './access/repositories-inside.ts';
import type { GitContext, Timeouts } from './trust/git-context.ts';
import { quoted, shortList } from './safe-text.ts';
import { GitError, noRepositoryAllowedError, NoRepositoryError } from './errors.ts';
import { Environments } from './process/environment.ts';
import { GitExecutable } from './process/git-executable.ts';
import { Repository, type CallOptions } from './repository.ts';
import { assertSigningKey } from './trust/signing-key.ts';
import { ChangeWatcher } from './watch/change-watcher.ts';

export interface RepositoriesOptions {
  /** The environment variables of the operator, who started the program. */
  environment: { readonly [name: string]: string | undefined };
  /** Whether to refuse every change. Defaults to false. */
  readOnly?: boolean | undefined;
  /** Whether to run the programs that repositories configure. Defaults to false. */
  trust?: boolean | undefined;
  /** Whether to sign commits and annotated tags with the key of the operator. Defaults to false. */
  sign?: boolean | undefined;
  /** Whether to connect to remotes. Defaults to false. */
  allowRemote?: boolean | undefined;
  /** How long git may run. Defaults to 2 minutes for reading, 10 for writing, and 30 for cloning. */
  timeouts?: Partial<Timeouts> | undefined;
  /** Receives warnings for the operator. */
  warn?: ((message: string) => void) | undefined;
}

/** Maximum number of repositories that an error lists. */
const maxNamed = 20;

/** Maximum number of sets of client roots for which a `Repositories` instance stays in memory. */
const maxRootSets = 64;

const defaultTimeouts: Timeouts = { readMs: 2 * 60_000, writeMs: 10 * 60_000, cloneMs: 30 * 60_000 };

/** The repositories inside the allowed directories. No other repository can be opened. */
export class Repositories {
  readonly #options: RepositoriesOptions;
  readonly #context: GitContext;
  readonly #watcher: ChangeWatcher;
  readonly #byRoot = new Map<string, Repository>();
  readonly #named: Repository[];
  /** The instance for each set of client roots, keyed by their real paths, least recently used first. */
  readonly #byRoots = new Map<string, Repositories>();

  /** If `allowed` is one client's roots, `server` is the instance whose git, locks and watcher are used. */
  constructor(allowed: AllowedDirectories, options: RepositoriesOptions, server?: Repositories) {
    const { environment, readOnly = false, trust = false, allowRemote = false, sign = false, warn } = options;
    const environments = new Environments(environment, allowed.ceilings);
    const {
      program = new GitExecutable(environments, allowed.directories[0] ?? sep),
      writeQueue = new KeyedQueue(),
    } = server?.context ?? {};
    const timeouts = { ...defaultTimeouts, ...options.timeouts };
    this.#options = options;
    this.#context = {
      program,
      allowed,
      environments,
      trust,
      allowRemote,
      sign,
      readOnly,
      writeQueue,
      timeouts,
    };
    this.#watcher = server?.watcher ?? new ChangeWatcher(warn);
    this.#named = allowed.directories.map((directory) => this.#open(directory));
  }

  /**
   * Throws if git is missing or too old, if `sign` is set without a key, or if a directory that the operator
   * named may not be used.
   */
  async check(): Promise<void> {
    await this.#context.program.path();
    if (this.#options.sign) await assertSigningKey(this.#context);
    const located = await Promise.allSettled(this.#named.map((repository) => repository.locate()));
    for (const [index, result] of located.entries()) {
      if (result.status === 'rejected')
        reportUnusable(result.reason, this.#named[index]!.root, this.#options.warn);
    }
  }

  /** The repositories inside the roots of a client, given as file URIs. */
  within(uris: readonly string[]): Repositories {
    const allowed = new AllowedDirectories(openRoots(uris, realDirectory, this.#options.warn ?? (() => {})));
    const key = allowed.directories.join('\0');
    const repositories = this.#byRoots.get(key) ?? new Repositories(allowed, this.#options, this);
    this.#byRoots.delete(key);
    this.#byRoots.set(key, repositories);
    const [oldest] = this.#byRoots.keys();
    if (this.#byRoots.size > maxRootSets) this.#byRoots.delete(oldest!);
    return repositories;
  }

  /**
   * The allowed directories that are repositories and, for every other one, the repositories directly inside
   * it.
   */
  get listed(): readonly Repository[] {
    return repositoriesInside(this.allowed.directories).map((root) => this.#open(root));
  }

  get allowed(): AllowedDirectories {
    return this.#context.allowed;
  }

  get context(): GitContext {
    return this.#context;
  }

  get watcher(): ChangeWatcher {
    return this.#watcher;
  }

  /** Returns the repository at a path or with this name; by default the only one. `call` cancels commands. */
  at(path: string | undefined, call: CallOptions = {}): Repository {
    return this.#at(path).during(call);
  }

  #at(path: string | undefined): Repository {
    if (this.allowed.isEmpty) throw noRepositoryAllowedError();
    if (path !== undefined) return this.#withName(path) ?? this.#open(this.#existing(path));
    const listed = this.listed.length === 0 ? this.#named : this.listed;
    if (listed.length === 1) return listed[0]!;
    throw severalError('Several repositories are allowed', listed);
  }

  /** Returns an existing directory. If there is none, the error lists the repositories. */
  #existing(path: string): string {
    try {
      return this.allowed.existingDirectory(path);
    } catch (error) {
      const roots = this.listed.map(({ root }) => root);
      if (!(error instanceof NoSuchDirectoryError) || roots.length < 2) throw error;
      throw new Error(`${error.message}; the repositories are: ${shortList(roots, maxNamed)}`, {
        cause: error,
      });
    }
  }

  /**
   * Returns the listed repository that contains all the paths, if there is exactly one. Each path is
   * absolute, or begins with the name of the repository's directory.
   */
  withPaths(paths: readonly string[]): Repository | undefined {
    const owners = paths.map((path) => {
      const [first = ''] = path.split('/');
      if (!isAbsolute(path)) return this.listed.filter(({ root }) => basename(root) === first);
      return this.listed.filter(({ root }) => isInside(root, path));
    });
    const [owner, ...others] = owners[0] ?? [];
    const isOne = others.length === 0 && owners.every((each) => each.length === 1 && each[0] === owner);
    return isOne ? owner : undefined;
  }

  get names(): string[] {
    return [...new Set([...this.listed, ...this.#byRoot.values()].map(({ name }) => name))];
  }

  /**
   * Returns the repository of this name if it is open, or directly inside an allowed directory; otherwise
   * undefined.
   */
  byName(name: string): Repository | undefined {
    const known = [...this.listed, ...this.#byRoot.values()].find((repository) => repository.name === name);
    if (known || basename(name) !== name || name.startsWith('.')) return known;
    for (const directory of this.allowed.directories) {
      const root = join(directory, name);
      if (existsSync(join(root, '.git'))) return this.#open(this.allowed.existingDirectory(root));
    }
    return undefined;
  }

  /** Returns the listed repository whose directory has this name. Throws if several repositories have it. */
  #withName(name: string): Repository | undefined {
    if (basename(name) !== name) return undefined;
    const found = this.listed.filter(({ root }) => basename(root) === name);
    if (found.length < 2) return found[0];
    throw severalError(`Several repositories have the name ${quoted(name)}`, found);
  }

  [Symbol.dispose](): void {
    this.#watcher.close();
    this.#context.program[Symbol.dispose]();
  }

  #open(root: string): Repository {
    const known = this.#byRoot.get(root);
    if (known) return known;
    const repository = new Repository(this.#context, root, this.#nameFor(root));
    this.#byRoot.set(root, repository);
    return repository;
  }

  #nameFor(root: string): string {
    const taken = new Set([...this.#byRoot.values()].map(({ name }) => name));
    const base = basename(root) || 'root';
    let name = base;
    for (let next = 2; taken.has(name); next++) name = `${base}-${next}`;
    return name;
  }
}

function severalError(fact: string, found: readonly Repository[]): GitError {
  const roots = found.map(({ root }) => root);
  return new GitError(`${fact}: ${shortList(roots, maxNamed)}`, 'several repositories');
}

/**
 * Only warns if a directory is not a repository, and contains none directly: it may contain one later. Throws
 * any other error.
 */
function reportUnusable(error: unknown, directory: string, warn: RepositoriesOptions['warn']): void {
  if (!(error instanceof NoRepositoryError))
    throw new Error(`${messageOf(error)} (${quoted(directory)})`, { cause: error });
  const inside = repositoriesInside([directory]);
  if (inside.length > 0 && !inside.includes(directory)) return;
  const why = inside.length > 0 ? 'although it has a ".git"' : 'and none is directly inside it';
  warn?.(`Not a git repository, ${why}; only repositories inside it can be used: ${quoted(directory)}`);
}
