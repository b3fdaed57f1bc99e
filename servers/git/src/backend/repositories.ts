import { basename } from 'node:path';
import { quoted } from './display-name.ts';
import type { Bound } from './access/allowed-directories.ts';
import { Environments } from './process/environment.ts';
import { NoRepository } from './errors.ts';
import { GitProgram } from './process/git-executable.ts';
import { Queue } from './keyed-queue.ts';
import { Repository, type Timeouts, type World } from './repository.ts';
import { ChangeWatcher } from './watch/change-watcher.ts';

export interface RepositoriesOptions {
  /** The environment of the operator. */
  environment: { readonly [name: string]: string | undefined };
  /** Refuse every change. */
  readOnly?: boolean | undefined;
  /** Run what the repositories are configured to run. */
  trust?: boolean | undefined;
  /** Speak to remotes. */
  allowRemote?: boolean | undefined;
  /** How long git may take; two minutes to read, ten to write, thirty to clone unless said otherwise. */
  timeouts?: Partial<Timeouts> | undefined;
  /** Hears what the operator should know but need not stop for. */
  warn?: ((message: string) => void) | undefined;
}

const usualTimeouts: Timeouts = { readMs: 2 * 60_000, writeMs: 10 * 60_000, cloneMs: 30 * 60_000 };

/** The repositories inside the directories that the operator named, and no others. */
export class Repositories {
  readonly #world: World;
  readonly #warn: RepositoriesOptions['warn'];
  readonly #watcher: ChangeWatcher;
  readonly #known = new Map<string, Repository>();
  readonly #named: Repository[];

  constructor(bound: Bound, options: RepositoriesOptions) {
    const { environment, readOnly = false, trust = false, allowRemote = false, warn } = options;
    const environments = new Environments(environment, bound.ceilings);
    const program = new GitProgram(environments, bound.directories[0]!);
    const timeouts = { ...usualTimeouts, ...options.timeouts };
    const writes = new Queue();
    this.#world = { program, bound, environments, trust, allowRemote, readOnly, writes, timeouts };
    this.#warn = warn;
    this.#watcher = new ChangeWatcher(warn);
    this.#named = bound.directories.map((directory) => this.#open(directory));
  }

  /** Throws where git is too old, or where a directory that was named may not be touched after all. */
  async check(): Promise<void> {
    await this.#world.program.usable();
    const located = await Promise.allSettled(this.#named.map((repository) => repository.locate()));
    for (const [index, result] of located.entries()) {
      if (result.status === 'rejected') tolerate(result.reason, quoted(this.#named[index]!.root), this.#warn);
    }
  }

  /** The repositories named at the start. */
  get named(): readonly Repository[] {
    return this.#named;
  }

  get bound(): Bound {
    return this.#world.bound;
  }

  /** The repository at a path; without one, the only one there is. */
  at(path: string | undefined): Repository {
    if (path === undefined) {
      if (this.#named.length === 1) return this.#named[0]!;
      const roots = this.#named.map(({ root }) => quoted(root)).join(', ');
      throw new Error(`Say which repository with repo_path: ${roots}`);
    }
    return this.#open(this.bound.enter(path));
  }

  get names(): string[] {
    return [...this.#known.values()].map(({ name }) => name);
  }

  /** The repository with a name, as it stands in a URI. */
  called(name: string): Repository | undefined {
    return [...this.#known.values()].find((repository) => repository.name === name);
  }

  get world(): World {
    return this.#world;
  }

  get watcher(): ChangeWatcher {
    return this.#watcher;
  }

  [Symbol.dispose](): void {
    this.#watcher.close();
    this.#world.program[Symbol.dispose]();
  }

  #open(root: string): Repository {
    const known = this.#known.get(root);
    if (known) return known;
    const repository = new Repository(this.#world, root, this.#nameFor(root));
    this.#known.set(root, repository);
    return repository;
  }

  #nameFor(root: string): string {
    const taken = new Set([...this.#known.values()].map(({ name }) => name));
    const base = basename(root) || 'root';
    let name = base;
    for (let next = 2; taken.has(name); next++) name = `${base}-${next}`;
    return name;
  }
}

/** A directory without a repository may get one, or have some inside; nothing else that is wrong with it will do. */
function tolerate(error: unknown, where: string, warn: RepositoriesOptions['warn']): void {
  if (error instanceof NoRepository)
    return warn?.(`No git repository yet, but those inside may be used: ${where}`);
  throw new Error(`${error instanceof Error ? error.message : String(error)} (${where})`, { cause: error });
}
