import { quoted } from '../display-name.ts';
import { lengthOf, log, type Commit, type LogOptions } from '../commands/log.ts';
import { commitOf, resolve } from '../commands/rev-parse.ts';
import { NotFound } from '../errors.ts';
import type { Caller, Repository } from '../repository.ts';

export interface LogPage {
  readonly commits: readonly Commit[];
  readonly next?: string;
}

/** A page of a log. The pages after it begin at the same commits as the first, whatever is committed meanwhile. */
export async function readLog(
  repository: Repository,
  options: LogOptions,
  cursor: string | undefined,
  caller?: Caller,
): Promise<LogPage> {
  const { max, from } = options;
  const at = parseCursor(cursor);
  // One more than the page says whether there is another.
  const page = {
    ...options,
    max: max + 1,
    skip: at?.skip ?? 0,
    from: at?.from ?? from,
    maxCharacters: pageCharacters,
  };
  let commits: Commit[];
  try {
    commits = await repository.run(log(page), caller);
  } catch (error) {
    const unborn =
      from === undefined && error instanceof NotFound && !(await repository.run(commitOf('HEAD'), caller));
    if (unborn) return { commits: [] };
    throw error;
  }
  const fitting = Math.min(max, howManyFit(commits));
  if (commits.length <= fitting) return { commits };
  const shown = commits.slice(0, fitting);
  const rest = commits[fitting]!;
  if (page.skip === 0 && whole(page) && isChain(commits.slice(0, fitting + 1)))
    return { commits: shown, next: `0.${rest.hash}` };
  const start = at?.from ?? (await beginning(repository, options, commits[0]!, caller));
  return { commits: shown, next: `${page.skip + fitting}.${start}` };
}

const pageCharacters = 256 * 1024;

/** How many commits make a page that is not too long: at least one. */
function howManyFit(commits: readonly Commit[]): number {
  let characters = 0;
  const over = commits.findIndex((commit) => (characters += lengthOf(commit)) > pageCharacters);
  return over === -1 ? commits.length : Math.max(over, 1);
}

/** Whether nothing is left out. */
function whole({ from, since, until, author, grep, path }: LogOptions): boolean {
  return !from?.includes('..') && [since, until, author, grep, path].every((filter) => filter === undefined);
}

/** Whether each commit is the only parent of the one before: then what is left is all that the last one has behind it. */
function isChain(commits: readonly Commit[]): boolean {
  return commits.every(
    ({ parents }, index) =>
      index === commits.length - 1 || (parents.length === 1 && parents[0] === commits[index + 1]!.hash),
  );
}

/** Where the first page began, by hash. */
async function beginning(
  repository: Repository,
  options: LogOptions,
  first: Commit,
  caller: Caller | undefined,
): Promise<string> {
  const { from = 'HEAD' } = options;
  const [, left, dots, right] = /^(.*?)(\.{2,3})(.*)$/.exec(from) ?? [];
  if (dots !== undefined) {
    return `${await hashOf(repository, left || 'HEAD', caller)}${dots}${await hashOf(repository, right || 'HEAD', caller)}`;
  }
  return whole(options) ? first.hash : hashOf(repository, from, caller);
}

async function hashOf(repository: Repository, revision: string, caller: Caller | undefined): Promise<string> {
  const [hash] = await repository.run(resolve(`${revision}^{commit}`), caller);
  if (!hash) throw new NotFound(`No such revision: ${quoted(revision)}`, 128);
  return hash;
}

function parseCursor(cursor: string | undefined): { skip: number; from: string } | undefined {
  if (cursor === undefined) return undefined;
  const [, skip, from] = /^(\d{1,9})\.([0-9a-f]{40,64}(?:\.{2,3}[0-9a-f]{40,64})?)$/.exec(cursor) ?? [];
  if (!from)
    throw new Error(`Not a cursor: ${quoted(cursor)}; accepted is the nextCursor of the page before`);
  return { skip: Number(skip), from };
}
