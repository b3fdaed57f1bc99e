import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Client, type ClientOptions, connect } from '@mcp/protocol/testing';
import { TemporaryDirectory } from '@mcp/test-kit';
import type { SimpleGit } from 'simple-git';
import type { Timeouts } from '@mcp/safe-git';
import type { Git } from '../src/context.ts';
import { git } from '../src/server.ts';
import { logFacts, refFacts, statusFacts, type RefFacts, type StatusFacts } from './facts.ts';
import { fixtureGit } from './fixture-git.ts';

export type Files = Record<string, string | Uint8Array>;

export interface ServerOptions {
  readOnly?: boolean | undefined;
  trust?: boolean | undefined;
  allowRemote?: boolean | undefined;
  history?: boolean | undefined;
  sign?: boolean | undefined;
  structured?: boolean | undefined;
  directories?: readonly string[] | undefined;
  timeouts?: Partial<Timeouts> | undefined;
  /** Added to the environment of the operator. */
  environment?: Record<string, string> | undefined;
}

const certificates = Object.fromEntries(
  ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
) as Record<string, string>;

const templates = new Map<string, WorkspaceTemplate>();

/** A directory with a repository that the server may use, and beside it one that it may not. */
export class Workspace extends TemporaryDirectory {
  /** The directory that the server may use. */
  readonly allowed = join(this.base, 'allowed');
  /** A program that a hostile repository has run leaves a file here. */
  readonly marks = join(this.base, 'marks');
  /** The environment of the operator; from the user who runs the tests come only the trusted certificates. */
  readonly environment: Record<string, string>;
  #shut: Disposable[] = [];

  /**
   * A workspace whose repository has one commit with `files`, or no commit without files.
   * `init` are options of git init.
   */
  static create(files: Files = {}, init: readonly string[] = []): Promise<Workspace> {
    const key = JSON.stringify([files, init]);
    const template = templates.get(key) ?? new WorkspaceTemplate(files, async () => {}, init);
    templates.set(key, template);
    return template.copy();
  }

  constructor() {
    super('git', 'allowed/repo');
    mkdirSync(this.marks);
    mkdirSync(join(this.base, 'home'));
    const config = join(this.base, 'home/.gitconfig');
    writeFileSync(
      config,
      '[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n',
    );
    this.environment = {
      ...certificates,
      PATH: process.env['PATH'] ?? '',
      HOME: join(this.base, 'home'),
      GIT_CONFIG_GLOBAL: config,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
      GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
    };
  }

  /** Runs git in the repository as its owner would. */
  get git(): SimpleGit {
    return this.gitAt(this.root);
  }

  /** Runs git in another directory, and with `input` on its stdin. */
  gitAt(directory: string, input?: string | Buffer): SimpleGit {
    return fixtureGit(directory, this.environment, input);
  }

  /** The output of a git command, without the line breaks at its end. */
  async output(
    args: readonly string[],
    { directory = this.root, input }: { directory?: string; input?: string } = {},
  ): Promise<string> {
    return (await this.gitAt(directory, input).raw([...args])).trimEnd();
  }

  /** Creates commits from a stream for `git fast-import`. */
  async import(stream: string): Promise<void> {
    await this.gitAt(this.root, stream).raw(['fast-import', '--quiet']);
  }

  /** Writes `files`, commits every change, and returns the hash. */
  async commit(message = 'change', files: Files = {}): Promise<string> {
    for (const [path, content] of Object.entries(files)) this.put(path, content);
    const { git } = this;
    await git.add('--all');
    const { commit } = await git.commit(message, ['--allow-empty']);
    // With a detached HEAD simple-git reports "HEAD <hash>".
    return commit.replace('HEAD ', '');
  }

  /** Commits `theirs` to a new branch and `ours` to main, where HEAD stays. */
  async diverge(branch: string, theirs: Files, ours: Files): Promise<void> {
    await this.git.checkoutLocalBranch(branch);
    await this.commit('theirs', theirs);
    await this.git.checkout('main');
    await this.commit('ours', ours);
  }

  /** A program that leaves a file in `marks`, and copies its input to its output. */
  program(name = 'program', { passOn = true } = {}): string {
    const path = join(this.base, name);
    writeFileSync(
      path,
      `#!/bin/sh\necho "$0 $*" >> '${join(this.marks, name)}'\n${passOn ? 'cat 2>/dev/null || true' : ''}\n`,
    );
    chmodSync(path, 0o755);
    return path;
  }

  /** A git that runs `script` before the real git, which is in `$git`; returns the PATH that finds it. */
  wrapGit(script: string): string {
    const bin = join(this.base, 'bin');
    mkdirSync(bin, { recursive: true });
    const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    writeFileSync(join(bin, 'git'), `#!/bin/sh\ngit='${real}'\n${script}\nexec "$git" "$@"\n`);
    chmodSync(join(bin, 'git'), 0o755);
    return `${bin}:${this.environment['PATH']}`;
  }

  /** Resolves when the file `started` appears in `marks`. Watches from the call on. */
  async started(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const watcher = watch(this.marks, (_event, name) => name === 'started' && resolve());
    await promise;
    watcher.close();
  }

  /** The command lines of running processes that name a path of this workspace. */
  get processes(): string[] {
    const running = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
    return running.filter((line) => line.includes(this.base));
  }

  /** Adds a hook that leaves a file in `marks`. */
  hook(name: string, body?: string): void {
    const path = join(this.root, '.git/hooks', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\necho "$0" >> '${join(this.marks, name)}'\n${body ?? ''}\nexit 0\n`);
    chmodSync(path, 0o755);
  }

  /** The names of the programs and hooks that have run. */
  get executed(): string[] {
    return readdirSync(this.marks);
  }

  /** A repository outside the directory that the server may use. */
  async foreign(name = 'foreign'): Promise<string> {
    const path = join(this.outside, name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'secret.txt'), 'SECRET\n');
    await this.gitAt(path).init().add('--all').commit('secret');
    return path;
  }

  /** A server for this workspace. */
  serve({ environment, directories = [this.root], ...options }: ServerOptions = {}) {
    const { context, ...server } = git({
      directories,
      ...options,
      environment: { ...this.environment, ...environment },
    });
    const load = context as () => Promise<Git>;
    const loading = async () => {
      const loaded = await load();
      this.#shut.push(loaded.repositories);
      return loaded;
    };
    return { ...server, context: loading };
  }

  /** Connects a client to a server in this process. */
  async connect(options: ClientOptions & ServerOptions = {}): Promise<Client> {
    const { readOnly, trust, allowRemote, history, sign, structured, timeouts, directories, environment } =
      options;
    const server = this.serve({
      readOnly,
      trust,
      allowRemote,
      history,
      sign,
      structured,
      timeouts,
      directories,
      environment,
    });
    await server.context();
    return connect(server, options);
  }

  /** The text of a tool's answer, without the path of this workspace; an error starts with ERROR. */
  async callText(client: Client, tool: string, args: Record<string, unknown> = {}): Promise<string> {
    const { content, isError } = await client.callTool(tool, args);
    const text = content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n');
    return (isError ? 'ERROR ' : '') + text.replaceAll(this.base, '');
  }

  /** The text of a tool's answer. Throws where the answer is an error. */
  async #textOf(client: Client, tool: string, args: Record<string, unknown>): Promise<string> {
    const text = await this.callText(client, tool, args);
    if (text.startsWith('ERROR ')) throw new Error(text);
    return text;
  }

  /** The answer of git_status, as facts. */
  async status(client: Client, args: Record<string, unknown> = {}): Promise<StatusFacts> {
    return statusFacts(await this.#textOf(client, 'git_status', args));
  }

  /** What git_log answers with whole messages, as facts. */
  async log(client: Client, args: Record<string, unknown> = {}) {
    return logFacts(await this.#textOf(client, 'git_log', { full: true, ...args }));
  }

  /** What git_branch answers, as facts. */
  async refs(client: Client, args: Record<string, unknown> = {}): Promise<RefFacts[]> {
    return refFacts(await this.#textOf(client, 'git_branch', args));
  }

  /** The refs, the status, the stashes and the lock of the repository, to compare before and after. */
  async state(): Promise<string> {
    const parts = [['for-each-ref'], ['status', '--porcelain=v2', '--branch'], ['stash', 'list']];
    const printed = await Promise.all(parts.map((args) => this.output(args)));
    return [...printed, existsSync(join(this.root, '.git/index.lock')) ? 'locked' : ''].join('\n');
  }

  /** Closes the servers of this workspace. */
  close(): void {
    for (const each of this.#shut.splice(0)) each[Symbol.dispose]();
  }

  override [Symbol.dispose](): void {
    this.close();
    super[Symbol.dispose]();
  }
}

/** A repository that is built once per worker; each test gets a copy of it in a workspace of its own. */
export class WorkspaceTemplate {
  readonly #build: () => Promise<string>;
  #built: Promise<string> | undefined;

  /** `build` continues after the first commit, and writes no absolute path: the copies are elsewhere. */
  constructor(files: Files, build: (workspace: Workspace) => Promise<unknown>, init: readonly string[] = []) {
    this.#build = async () => {
      using workspace = new Workspace();
      // The sample hooks of git would be most of the copied files.
      await workspace.git.init(['--template=', ...init]);
      if (Object.keys(files).length > 0) await workspace.commit('first', files);
      await build(workspace);
      const repository = join(mkdtempSync(join(tmpdir(), 'template-')), 'repo');
      renameSync(workspace.root, repository);
      return repository;
    };
  }

  async copy(): Promise<Workspace> {
    const repository = await (this.#built ??= this.#build());
    const workspace = new Workspace();
    cpSync(repository, workspace.root, { recursive: true, verbatimSymlinks: true });
    return workspace;
  }
}

/** The message of the error that `work` throws. */
export async function problem(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'nothing went wrong';
}
