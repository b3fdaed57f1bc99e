import { quoted } from '../../safe-text.ts';
import { lineLengthOf, log, type Commit, type LogOptions } from '../../commands/history/log.ts';
import { linePatches } from '../../commands/history/line-patches.ts';
import { commitHash, objectHash, resolveRevisions } from '../../commands/objects/rev-parse.ts';
import { renames } from '../../commands/history/diff.ts';
import { showCommit, type ShowOptions } from '../../commands/history/show.ts';
import { noSuch, NotFoundError } from '../../errors.ts';
import { commitText } from '../../text/commit-text.ts';
import { withNearestNames } from '../names/nearest-names.ts';
import type { Repository } from '../../repository.ts';

export interface LogPage {
  readonly commits: readonly Commit[];
  readonly nextCursor?: string;
  /** The number of commits on the earlier pages. */
  readonly before: number;
  /**
   * The revision and number of skipped commits with which the page was read, to read the diffs of the same
   * commits.
   */
  readonly start: Pick<LogOptions, 'from' | 'skip'>;
}

const maxPageCharacters = 38_000;

/** Later pages start from the same commits as the first page, even if branches move. */
export async function readLogPage(
  repository: Repository,
  options: LogOptions,
  cursor: string | undefined,
): Promise<LogPage> {
  const { max, from } = options;
  const position = parseCursor(cursor);
  if (position && (position.from === 'all') !== (options.all ?? false))
    throw new Error(
      `The cursor ${quoted(cursor ?? '')} belongs to other arguments; repeat the arguments of the first page`,
    );
  const before = (position?.skip ?? 0) + (position?.passed ?? 0);
  const page = {
    ...options,
    // One commit more than fits on the page shows whether there is another page.
    max: max + 1,
    skip: position?.skip ?? 0,
    from: position?.from ?? from,
    ...(options.full && { maxCharacters: maxPageCharacters }),
  };
  const start = { from: page.from, skip: page.skip };
  let commits: Commit[];
  try {
    // With `--follow`, `--skip` also counts commits that do not change the file, so commits are skipped here.
    commits = options.follow
      ? (await repository.run(log({ ...page, max: page.max + page.skip, skip: 0 }))).slice(page.skip)
      : await repository.run(log(page));
  } catch (error) {
    const unborn =
      from === undefined && error instanceof NotFoundError && !(await repository.run(commitHash('HEAD')));
    if (unborn) return { commits: [], before: 0, start };
    throw error;
  }
  const fitting = Math.min(
    max,
    fittingCount(commits, options.full ? (commit) => commitText(commit).length + 1 : lineLengthOf),
  );
  if (commits.length <= fitting) return { commits, before, start };
  const shown = commits.slice(0, fitting);
  const next = commits[fitting]!;
  if (page.skip === 0 && isUnfiltered(page) && isLinear(commits.slice(0, fitting + 1)))
    return { commits: shown, before, start, nextCursor: `0.${next.hash}.${before + fitting}` };
  if (options.all) return { commits: shown, before, start, nextCursor: `${page.skip + fitting}.all` };
  const first = position?.from ?? (await startRevision(repository, options, commits[0]!));
  const passed = position?.passed ? `.${position.passed}` : '';
  return { commits: shown, before, start, nextCursor: `${page.skip + fitting}.${first}${passed}` };
}

function fittingCount(commits: readonly Commit[], length: (commit: Commit) => number): number {
  let characters = 0;
  for (const [index, commit] of commits.entries()) {
    characters += length(commit);
    if (characters > maxPageCharacters) return Math.max(index, 1);
  }
  return commits.length;
}

function isUnfiltered({ from, all, ...options }: LogOptions): boolean {
  const { since, until, author, grep, changedText, changedRegexp, path } = options;
  const filters = [since, until, author, grep, changedText, changedRegexp, path];
  return !all && !from?.includes('..') && filters.every((filter) => filter === undefined);
}

/**
 * Whether each commit's only parent is the next commit. Then a log that starts at the last of them has all
 * older commits.
 */
function isLinear(commits: readonly Commit[]): boolean {
  return commits.every(
    ({ parents }, index) =>
      index === commits.length - 1 || (parents.length === 1 && parents[0] === commits[index + 1]!.hash),
  );
}

/** Returns the revision or range at which the first page started, with names replaced by hashes. */
async function startRevision(repository: Repository, options: LogOptions, first: Commit): Promise<string> {
  const { from = 'HEAD' } = options;
  const [, left, dots, right] = /^(.*?)(\.{2,3})(.*)$/.exec(from) ?? [];
  if (dots !== undefined) {
    return `${await hashOf(repository, left || 'HEAD')}${dots}${await hashOf(repository, right || 'HEAD')}`;
  }
  return isUnfiltered(options) ? first.hash : hashOf(repository, from);
}

async function hashOf(repository: Repository, revision: string): Promise<string> {
  const [hash] = await repository.run(resolveRevisions(`${revision}^{commit}`));
  if (!hash) throw noSuch('revision', revision);
  return hash;
}

interface Position {
  readonly from: string;
  /**
   * How many commits of the log that starts at `from` to skip. `passed` is how many commits earlier pages
   * showed before the log was started anew at `from`.
   */
  readonly skip: number;
  readonly passed: number;
}

function parseCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  const [, skip, from, passed = '0'] = cursorPattern.exec(cursor) ?? [];
  if (!from) throw new Error(`Invalid cursor: ${quoted(cursor)}; expected the cursor of the previous page`);
  return { skip: Number(skip), from, passed: Number(passed) };
}

const cursorPattern = /^(\d{1,9})\.(all|[0-9a-f]{40,64}(?:\.{2,3}[0-9a-f]{40,64})?)(?:\.(\d{1,9}))?$/;

/**
 * Adds diffs to as many commits as fit into an answer; if necessary, only a part of the first diff. With a
 * path, follows renames; with `lines`, adds only the changes of these lines. `start` is the start of the
 * page.
 */
export async function withPatches(
  repository: Repository,
  { commits, start }: Pick<LogPage, 'commits' | 'start'>,
  options: LogOptions & ShowOptions,
  show: (commit: Commit) => string,
): Promise<string[]> {
  const ofLines = options.lines !== undefined && !options.stat;
  const diffs = ofLines
    ? await diffsOfLines(repository, { ...options, ...start, max: commits.length })
    : diffsOfPaths(repository, options);
  let characters = 0;
  const texts: string[] = [];
  for (const commit of commits) {
    const text = `${show(commit)}\n${await diffs(commit)}`.trimEnd();
    characters += text.length + 2;
    if (texts.length > 0 && characters > maxPageCharacters) break;
    texts.push(text);
  }
  return texts;
}

async function diffsOfLines(repository: Repository, options: LogOptions) {
  const patches = await repository.run(linePatches(options));
  return ({ hash }: Commit) => patches.get(hash) ?? '';
}

/**
 * Returns a function that reads the diff of a commit. To follow renames of `path`, call it for the newest
 * commit first.
 */
function diffsOfPaths(
  repository: Repository,
  { follow, stat = false, ...options }: LogOptions & ShowOptions,
) {
  let { path } = options;
  return async ({ hash }: Commit): Promise<string> => {
    const moved = follow ? await repository.run(renames(hash)) : [];
    const from = moved.find(({ to }) => to === path)?.from;
    const paths = [path, from].filter((each) => each !== undefined);
    const diff = (await repository.run(showCommit(hash, { stat, paths })))?.diff;
    path = from ?? path;
    const more =
      diff?.nextCursor === undefined ? '' : '\n… this diff is longer: show the commit to read all of it';
    return `${diff?.text ?? ''}${more}`;
  };
}

/**
 * Returns the text for a log that has no commits. If the path does not exist, the text names the most similar
 * paths.
 */
export async function noCommitsText(
  repository: Repository,
  { path, from = 'HEAD' }: { readonly path?: string | undefined; readonly from?: string | undefined },
): Promise<string> {
  const end = from.split(/\.{2,3}/).at(-1) || 'HEAD';
  if (path === undefined || (await repository.run(objectHash(`${end}:${path}`)))) return 'No commits';
  const { message } = await withNearestNames(
    repository,
    noSuch('file', path, { message: `No commits; ${quoted(end)} has no such path: ${quoted(path)}` }),
  );
  return message;
}
