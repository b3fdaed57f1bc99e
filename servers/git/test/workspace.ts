import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Client, type ClientOptions, connect } from '@mcp/protocol/testing';
import { TemporaryDirectory } from '@mcp/test-kit';
import { simpleGit, type SimpleGit } from 'simple-git';
import type { Timeouts } from '../src/backend/access/git-context.ts';
import type { Git } from '../src/context.ts';
import { git } from '../src/server.ts';

export type Files = Record<string, string | Uint8Array>;

export interface ServerOptions {
  readOnly?: boolean;
  trust?: boolean;
  allowRemote?: boolean;
  directories?: readonly string[];
  timeouts?: Partial<Timeouts>;
  /** Added to the environment of the operator. */
  environment?: Record<string, string>;
}

const certificates = Object.fromEntries(
  ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
) as Record<string, string>;

/** A directory with a repository that the server may touch, and next to it one that it may not. */
export class Workspace extends TemporaryDirectory {
  /** What the server is given. */
  readonly allowed = join(this.base, 'allowed');
  /** What a hostile repository has run leaves a file here. */
  readonly marks = join(this.base, 'marks');
  /** The operator's own environment: of the user who runs the tests, only which certificates are trusted. */
  readonly environment: Record<string, string>;
  #shut: Disposable[] = [];

  constructor(files: Files = {}, { init = [] as readonly string[] } = {}) {
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
    this.git('init', '-q', ...init);
    for (const [path, content] of Object.entries(files)) this.put(path, content);
    if (Object.keys(files).length > 0) this.commit('first');
  }

  /** The repository as simple-git sees it: builds fixtures, and gives a second opinion on them. */
  get simpleGit(): SimpleGit {
    const allowEnvironment = Object.keys(this.environment);
    const options = { unsafe: { allowUnsafeConfigPaths: true }, allowEnvironment };
    return simpleGit(this.root, options).env(this.environment);
  }

  /** Runs git in the repository as its owner would. */
  git(...args: readonly string[]): string {
    return this.gitIn(this.root, ...args);
  }

  gitIn(directory: string, ...args: readonly string[]): string {
    return execFileSync('git', args, {
      cwd: directory,
      env: this.environment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 256 * 1024 * 1024,
      timeout: 20_000,
      killSignal: 'SIGKILL',
    }).trimEnd();
  }

  /** Makes history of a stream for `git fast-import`. */
  import(stream: string): void {
    execFileSync('git', ['fast-import', '--quiet'], {
      cwd: this.root,
      env: this.environment,
      input: stream,
    });
  }

  /** Commits all there is, and gives the hash. */
  commit(message = 'change', files: Files = {}): string {
    for (const [path, content] of Object.entries(files)) this.put(path, content);
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }

  /** A program that leaves a mark when it is run, and passes on what it reads. */
  program(name = 'program', { passOn = true } = {}): string {
    const path = join(this.base, name);
    writeFileSync(
      path,
      `#!/bin/sh\necho "$0 $*" >> '${join(this.marks, name)}'\n${passOn ? 'cat 2>/dev/null || true' : ''}\n`,
    );
    chmodSync(path, 0o755);
    return path;
  }

  /** A git that does as `script` says, which can go on with `exec "$git" "$@"`; gives the PATH that finds it. */
  gitThat(script: string): string {
    const bin = join(this.base, 'bin');
    mkdirSync(bin, { recursive: true });
    const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    writeFileSync(join(bin, 'git'), `#!/bin/sh\ngit='${real}'\n${script}\nexec "$git" "$@"\n`);
    chmodSync(join(bin, 'git'), 0o755);
    return `${bin}:${this.environment['PATH']}`;
  }

  /** Command lines of processes that are about this world. */
  get processes(): string[] {
    const running = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
    return running.filter((line) => line.includes(this.base));
  }

  /** A hook of the repository. */
  hook(name: string, body?: string): void {
    const path = join(this.root, '.git/hooks', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\necho "$0" >> '${join(this.marks, name)}'\n${body ?? ''}\nexit 0\n`);
    chmodSync(path, 0o755);
  }

  /** What was run. */
  get run(): string[] {
    return readdirSync(this.marks);
  }

  /** A repository next to what the server may touch. */
  foreign(name = 'foreign'): string {
    const path = join(this.outside, name);
    mkdirSync(path, { recursive: true });
    this.gitIn(path, 'init', '-q');
    writeFileSync(join(path, 'secret.txt'), 'SECRET\n');
    this.gitIn(path, 'add', '-A');
    this.gitIn(path, 'commit', '-q', '-m', 'secret');
    return path;
  }

  /** A client of a server of this world. */
  async connect({ environment, ...options }: ClientOptions & ServerOptions = {}): Promise<Client> {
    const { directories = [this.root], readOnly, trust, allowRemote, timeouts } = options;
    const server = git({
      directories,
      readOnly,
      trust,
      allowRemote,
      timeouts,
      environment: { ...this.environment, ...environment },
    });
    const { repositories } = await (server.context as () => Promise<Git>)();
    this.#shut.push(repositories);
    return connect(server, options);
  }

  /** What the model reads, with this world's own path taken out. */
  async say(client: Client, tool: string, args: Record<string, unknown> = {}): Promise<string> {
    const { content, isError } = await client.callTool(tool, args);
    const text = content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n');
    return (isError ? 'ERROR ' : '') + text.replaceAll(this.base, '');
  }

  /** What a tool answers as facts. */
  // oxlint-disable-next-line typescript/no-explicit-any
  async facts(client: Client, tool: string, args: Record<string, unknown> = {}): Promise<any> {
    const { structuredContent, content, isError } = await client.callTool(tool, args);
    if (isError) throw new Error(JSON.stringify(content));
    return structuredContent;
  }

  /** Everything that decides about the repository, to be compared before and after. */
  get state(): string {
    return [
      this.git('for-each-ref'),
      this.git('status', '--porcelain=v2', '--branch'),
      this.git('stash', 'list'),
      existsSync(join(this.root, '.git/index.lock')) ? 'locked' : '',
    ].join('\n');
  }

  /** Ends the servers of this world. */
  close(): void {
    for (const each of this.#shut.splice(0)) each[Symbol.dispose]();
  }

  override [Symbol.dispose](): void {
    this.close();
    super[Symbol.dispose]();
  }
}

/** What went wrong, in the words the model reads. */
export async function problem(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'nothing went wrong';
}
