import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const cyanheads = 'cyanheads';

/** A commit of a history. */
export interface Step {
  /** Defaults to main. */
  readonly branch?: string;
  /** The branch or mark that it starts from, for the first commit of a branch. */
  readonly from?: string;
  /** A branch that it merges. */
  readonly merge?: string;
  readonly message: string;
  readonly author?: string;
  readonly files?: Readonly<Record<string, string>>;
}

const start = Date.UTC(2026, 0, 5, 9) / 1_000;
const day = 24 * 60 * 60;

/** Creates a repository with these commits, one a day, and checks out main. */
export function repositoryOf(world: string, steps: readonly Step[]): void {
  mkdirSync(world, { recursive: true });
  git(world, 'init', '--quiet', '--template=', '--initial-branch=main');
  writeFileSync(
    join(world, '.git/config'),
    '[core]\n\tlogAllRefUpdates = true\n[user]\n\tname = Ada\n\temail = ada@example.com\n',
    { flag: 'a' },
  );
  const stream = steps.map((step, index) => commitOf(step, start + index * day)).join('');
  git(world, { input: stream }, 'fast-import', '--quiet');
  git(world, 'reset', '--quiet', '--hard');
}

function commitOf({ branch = 'main', from, merge, message, author = 'Ada', files = {} }: Step, at: number) {
  const person = `${author} <${author.toLowerCase()}@example.com> ${at} +0000\n`;
  return [
    `commit refs/heads/${branch}\nauthor ${person}committer ${person}${data(message)}`,
    ...(from === undefined ? [] : [`from refs/heads/${from}\n`]),
    ...(merge === undefined ? [] : [`merge refs/heads/${merge}\n`]),
    ...Object.entries(files).map(([path, content]) => `M 100644 inline ${path}\n${data(content)}`),
    '\n',
  ].join('');
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

interface Options {
  readonly input?: string;
  /** Exits with an error that is expected, such as a conflict. */
  readonly fails?: boolean;
}

/** Runs git as the owner of the repository would, and returns what it prints. */
export function git(world: string, ...args: readonly (string | Options)[]): string {
  const { input = '', fails } = args.find((arg) => typeof arg === 'object') ?? {};
  try {
    return execFileSync(
      'git',
      args.filter((arg) => typeof arg === 'string'),
      {
        cwd: world,
        input,
        env: {
          PATH: process.env['PATH'],
          HOME: dirname(world),
          GIT_CONFIG_NOSYSTEM: '1',
          GIT_AUTHOR_DATE: '2026-03-01T09:00:00Z',
          GIT_COMMITTER_DATE: '2026-03-01T09:00:00Z',
        },
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', fails ? 'ignore' : 'inherit'],
      },
    ).trimEnd();
  } catch (error) {
    if (fails) return '';
    throw error;
  }
}

/** Writes files of the work tree. */
export function change(world: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(world, path)), { recursive: true });
    writeFileSync(join(world, path), content);
  }
}

/** The subjects of the commits of a revision, newest first. */
export function subjects(world: string, revision = 'HEAD'): string[] {
  return git(world, 'log', '--topo-order', '--format=%s', revision).split('\n');
}

/** The names of the local branches. */
export function branches(world: string): string[] {
  return git(world, 'branch', '--format=%(refname:short)').split('\n');
}
