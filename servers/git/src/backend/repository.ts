import { existsSync, lstatSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { admitLayout, admitLinks } from './access/check-layout.ts';
import type { Command, Output } from './command.ts';
import { quoted } from './display-name.ts';
import type { Bound } from './access/allowed-directories.ts';
import type { Environments } from './process/environment.ts';
import { failureOf, GitFailure, NoRepository } from './errors.ts';
import { admitFarEnd } from './access/check-local-remote.ts';
import type { GitProgram } from './process/git-executable.ts';
import { Stopped, type Environment } from './process/git-process.ts';
import { fingerprint, layoutArgs, parseLayout, type Layout } from './access/repository-layout.ts';
import { look } from './access/inspect.ts';
import {
  outputOverrides,
  overridesAsEnvironment,
  safeOverrides,
  UnreadableDriver,
} from './access/config-overrides.ts';
import type { Queue } from './keyed-queue.ts';
import { progressReader, type Progress } from './progress.ts';
import { ReadReport } from './process/read-progress.ts';
import {
  listSettings,
  listSubmodules,
  parseSubmodules,
  submoduleBlobs,
  type Setting,
} from './access/git-config.ts';

/** How long git may take before it is ended. */
export interface Timeouts {
  readonly readMs: number;
  readonly writeMs: number;
  readonly cloneMs: number;
}

/** What all repositories of a server have in common. */
export interface World {
  readonly program: GitProgram;
  readonly bound: Bound;
  readonly environments: Environments;
  /** Hooks, filters, signing and helpers of the repositories are run, as git does. */
  readonly trust: boolean;
  readonly allowRemote: boolean;
  readonly readOnly: boolean;
  readonly writes: Queue;
  readonly timeouts: Timeouts;
}

/** The call that a command is run for. */
export interface Caller {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/** What was found out about a repository, and what that was found from. */
interface Checked {
  readonly fingerprint: string;
  readonly layout: Layout;
  readonly environment: Environment;
  readonly remoteEnvironment: Environment;
  readonly settings: readonly Setting[];
  /** Its configuration includes other files, whose changes are not seen here. */
  readonly includes: boolean;
}

const defaultMaxBytes = 16 * 1024 * 1024;

/** One repository inside the bound. Every command runs in it as it was checked, or not at all. */
export class Repository {
  /** Short and unique among the repositories of this server, for URIs. */
  readonly name: string;
  readonly root: string;
  readonly #world: World;
  #checked: Promise<Checked> | undefined;

  constructor(world: World, root: string, name: string) {
    this.#world = world;
    this.root = root;
    this.name = name;
  }

  get trusted(): boolean {
    return this.#world.trust;
  }

  get bound(): Bound {
    return this.#world.bound;
  }

  async layout(): Promise<Layout> {
    return (await this.#check()).layout;
  }

  /** The values of a setting, the one that counts last. */
  async setting(key: string): Promise<string | undefined> {
    const { settings } = await this.#check();
    return settings.findLast((setting) => setting.key === key.toLowerCase())?.value;
  }

  async settings(): Promise<readonly Setting[]> {
    return (await this.#check()).settings;
  }

  /** Refuses a repository of this machine that must not be a remote. */
  admitFarEnd(path: string): Promise<void> {
    return admitFarEnd(this.#world, path);
  }

  /** Runs a command. Those that change something wait for each other. */
  async run<Result>(command: Command<Result>, caller: Caller = {}): Promise<Result> {
    const { kind = 'read' } = command;
    if (kind === 'read') return this.#spawn(command, caller);
    return this.change(() => this.#spawn(command, caller));
  }

  /** Does several things of which the first changes something, while nothing else changes. */
  async change<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#world.readOnly) throw new Error('Nothing may be changed, the server is read-only');
    const { layout } = await this.#check();
    return this.#world.writes.run(layout.commonDir, work);
  }

  /** Runs a command inside `change`. */
  now<Result>(command: Command<Result>, caller: Caller = {}): Promise<Result> {
    return this.#spawn(command, caller);
  }

  async #spawn<Result>(command: Command<Result>, { signal, progress }: Caller): Promise<Result> {
    const { kind = 'read', accept = [], maxBytes = defaultMaxBytes } = command;
    // What a write depends on can hide where no fingerprint reaches, so that it is looked at every time.
    const checked = await (kind === 'read' ? this.#check() : this.#lookAgain());
    const { layout } = checked;
    const { timeouts } = this.#world;
    using report = progress && kind === 'read' ? new ReadReport(progress, command.args[0]!) : undefined;
    const reader = await command.reader?.();
    const lock = join(layout.gitDir, 'index.lock');
    const locked = kind !== 'read' && existsSync(lock);
    let output: Output;
    try {
      output = await this.#world.program.run({
        args: command.args,
        cwd: layout.top,
        env: {
          ...(kind === 'remote' ? checked.remoteEnvironment : checked.environment),
          ...(kind === 'read' && { GIT_OPTIONAL_LOCKS: '0' }),
          ...(command.literalPaths === false && { GIT_LITERAL_PATHSPECS: '0' }),
        },
        input: command.input,
        signal,
        timeoutMs: kind === 'read' ? timeouts.readMs : timeouts.writeMs,
        maxBytes,
        take: reader && ((chunk) => reader.take(chunk)),
        came: report && ((bytes) => report.took(bytes)),
        said: progress && progressReader(progress),
      });
    } catch (error) {
      // Killed, git could not take its lock away; it was not there before, and nobody else writes now.
      if (error instanceof Stopped && error.killed && kind !== 'read' && !locked)
        rmSync(lock, { force: true });
      throw error;
    }
    if (output.code !== 0 && !accept.includes(output.code)) throw failureOf(command, output);
    if (reader) return reader.result(output);
    return command.parse?.(output) as Result;
  }

  /** Everything that decides whether and how git may run here, found out again when anything of it has changed. */
  async #check(): Promise<Checked> {
    const known = await this.#checked?.catch(() => undefined);
    if (known && !known.includes && fingerprint(known.layout) === known.fingerprint) {
      admitLinks(known.layout, this.bound);
      return known;
    }
    return this.#lookAgain();
  }

  #lookAgain(): Promise<Checked> {
    const checking = this.#look();
    this.#checked = checking;
    return checking;
  }

  /** Where the repository is, which has to be inside the bound. */
  async locate(): Promise<Layout> {
    const { bound } = this.#world;
    const placed = await this.#lookAt(layoutArgs);
    const layout = parseLayout(placed.stdout);
    if (!layout) {
      if (placed.code !== 0) throw noRepository(placed, this.root);
      throw new Error('The path of the repository cannot be read');
    }
    // A bare repository can lie hidden among the files of another: only one that was named is one.
    if (layout.bare && !bound.directories.includes(layout.gitDir)) {
      throw new GitFailure('A bare repository has to be named at the start with --repository', 128);
    }
    await admitLayout(layout, bound);
    return layout;
  }

  #lookAt(args: readonly string[], cwd = this.root, input?: string): Promise<Output> {
    return look(this.#world, args, cwd, input);
  }

  async #look(): Promise<Checked> {
    const { environments, trust, allowRemote } = this.#world;
    const layout = await this.locate();
    // Taken before the configuration is read: what changes meanwhile is found out by the next command.
    const before = fingerprint(layout);
    const [listed, submodules] = await Promise.all([
      this.#lookAt(listSettings.args),
      trust || layout.bare ? [] : this.#submodules(layout.top),
    ]);
    if (listed.code !== 0) throw failureOf({}, listed);
    const settings = listSettings.parse(listed.stdout);
    const own = settings.filter(({ scope }) => scope === 'local' || scope === 'worktree');
    return {
      fingerprint: before,
      layout,
      settings,
      includes: own.some(({ key }) => /^include(if)?\./.test(key)),
      environment: trust
        ? this.#trusted(environments.trusted)
        : this.#safe(layout, settings, { remote: false, submodules }),
      remoteEnvironment: trust
        ? this.#trusted(environments.trusted)
        : allowRemote
          ? this.#safe(layout, settings, { remote: true, submodules })
          : {},
    };
  }

  /** The names of submodules: what any `.gitmodules` that git may read says of one wins over what is usual. */
  async #submodules(top: string): Promise<string[]> {
    const { args, input, parse } = submoduleBlobs;
    const found = await this.#lookAt(args, top, input);
    const blobs = found.code === 0 ? parse(found.stdout) : input.trim().split('\n');
    const lists = blobs.map((blob) => listSubmodules('--blob', blob));
    const file = '.gitmodules';
    if (lstatSync(join(top, file), { throwIfNoEntry: false })) lists.push(listSubmodules('--file', file));
    const outputs = await Promise.all(lists.map((list) => this.#lookAt(list, top)));
    return outputs.flatMap(({ code, stdout }) => (code === 0 ? parseSubmodules(stdout) : []));
  }

  #trusted(environment: Environment): Environment {
    return {
      ...environment,
      ...overridesAsEnvironment(outputOverrides),
      ...(!this.#world.allowRemote && { GIT_ALLOW_PROTOCOL: '' }),
    };
  }

  #safe(
    { top, gitDir, bare }: Layout,
    settings: readonly Setting[],
    { remote, submodules }: { remote: boolean; submodules: readonly string[] },
  ): Environment {
    const { untrusted, remote: network } = this.#world.environments;
    try {
      return {
        ...untrusted,
        ...(remote && { ...network, GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file' }),
        ...overridesAsEnvironment(safeOverrides(settings, { remote, submodules })),
        // Git looks for nothing itself: it works on what was checked.
        GIT_DIR: gitDir,
        ...(!bare && { GIT_WORK_TREE: top }),
      };
    } catch (error) {
      if (!(error instanceof UnreadableDriver)) throw error;
      throw new Error(
        `Refused: the repository's configuration names a program under a name that is not UTF-8; trust it with --trust`,
        { cause: error },
      );
    }
  }
}

function noRepository(output: Output, root: string): Error {
  if (/not a git repository/.test(output.stderr)) {
    return new NoRepository(`Not a git repository: ${quoted(basename(root))}`, 128);
  }
  return failureOf({}, output);
}
