import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { SymlinkedPaths } from '../../access/symlinked-paths.ts';
import { workTreePath } from '../../access/work-tree-path.ts';
import { commitHash } from '../../commands/objects/rev-parse.ts';
import { checkout } from '../../commands/refs/branches.ts';
import { remoteUrls } from '../../commands/refs/remotes.ts';
import {
  expectedCommits,
  registerSubmodule,
  submoduleEntries,
  type SubmoduleEntry,
} from '../../commands/refs/submodules.ts';
import { status } from '../../commands/work-tree/status.ts';
import { noSuch } from '../../errors.ts';
import type { Repositories } from '../../repositories.ts';
import type { CallOptions, Repository } from '../../repository.ts';
import { quoted } from '../../safe-text.ts';
import { checkOut, detachedCommit, leftCommit } from '../branches/check-out.ts';
import { fetchFrom } from './fetch-pull-push.ts';
import { cloneRepository } from './init-and-clone.ts';

// A submodule is treated as a repository of its own: its configuration is checked before git runs in it. A
// command that runs in the parent repository never starts git in the submodule.

/** A submodule, with the commit that it should have and the one that it has. */
export interface Submodule extends SubmoduleEntry {
  /** The commit that the index names. */
  readonly expected: string;
  /** The commit of the submodule's HEAD; undefined if the submodule is not cloned. */
  readonly commit: string | undefined;
  /** How many files in the submodule are changed. */
  readonly changes: number;
}

const maxSubmodules = 200;

/**
 * The submodules of a repository, or only the one at `path`. Throws `NotFoundError` if no submodule is at
 * `path`.
 */
export async function readSubmodules(
  repositories: Repositories,
  repository: Repository,
  path?: string,
): Promise<Submodule[]> {
  const [entries, expected, { top }] = await Promise.all([
    repository.run(submoduleEntries),
    repository.run(expectedCommits),
    repository.layout(),
  ]);
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  if (path !== undefined && !expected.has(path))
    throw noSuch('file', path, { message: `Not a submodule: ${quoted(path)}` });
  const wanted = path === undefined ? [...expected.keys()] : [path];
  if (wanted.length > maxSubmodules)
    throw new Error(`More than ${maxSubmodules} submodules: pass the path of one`);
  const found: Submodule[] = [];
  for (const each of wanted) {
    const inside = openSubmodule(repositories, repository, top, each);
    const { name, url } = byPath.get(each) ?? { name: each, url: undefined };
    const state = inside && (await inside.run(status({ trusted: inside.trusted })));
    const commit = state?.branch.oid;
    const changes = state?.entries.length ?? 0;
    found.push({ name, path: each, url, expected: expected.get(each)!, commit, changes });
  }
  return found;
}

/** The repository of a submodule; undefined if it is not cloned. Throws for a path through a symlink. */
function openSubmodule(
  repositories: Repositories,
  repository: Repository,
  top: string,
  path: string,
): Repository | undefined {
  workTreePath(path, top);
  const absolute = join(top, path);
  if (new SymlinkedPaths(top).has(Buffer.from(path)) || isSymlink(absolute))
    throw new Error(`The path of the submodule leads through a symlink: ${quoted(path)}`);
  return existsSync(join(absolute, '.git')) ? repositories.at(absolute, repository.call) : undefined;
}

function isSymlink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** What was done with a submodule. */
export interface SubmoduleUpdate {
  readonly path: string;
  readonly done: 'cloned' | 'moved' | 'unchanged';
  readonly before: string | undefined;
  readonly now: string;
  /** The former commit of the submodule's HEAD, if no branch or tag has that commit in its history. */
  readonly left: string | undefined;
}

/**
 * Checks out, in a submodule, the commit that the index of the parent repository names. If necessary, clones
 * the submodule or fetches the commit first. Overwrites no local changes. Submodules of the submodule are not
 * updated.
 */
export async function updateSubmodule(
  repositories: Repositories,
  repository: Repository,
  { name, path, url, expected, commit: before }: Submodule,
): Promise<SubmoduleUpdate> {
  const { top } = await repository.layout();
  const unchanged = { path, done: 'unchanged' as const, before, now: expected, left: undefined };
  if (before === expected) return unchanged;
  let inside = openSubmodule(repositories, repository, top, path);
  const isNew = inside === undefined;
  if (inside === undefined) {
    assertRemote(repositories, `${quoted(path)} is not cloned`);
    if (url === undefined) throw new Error(`.gitmodules has no URL for the submodule ${quoted(path)}`);
    const from = await absoluteUrl(repository, top, url);
    mkdirSync(dirname(join(top, path)), { recursive: true });
    inside = await clone(repositories, join(top, path), from, repository.call);
    await repository.run(registerSubmodule(name, from));
  }
  if ((await inside.run(commitHash(expected))) === undefined) {
    assertRemote(repositories, `${quoted(path)} has no commit ${expected.slice(0, 10)}`);
    await fetchFrom(inside, { remote: 'origin' });
    if ((await inside.run(commitHash(expected))) === undefined)
      throw new Error(
        `The remote of the submodule ${quoted(path)} has no commit ${expected.slice(0, 10)} in its branches`,
      );
  }
  const left = await moveTo(inside, expected);
  return { path, done: isNew ? 'cloned' : 'moved', before, now: expected, left };
}

function clone(
  repositories: Repositories,
  path: string,
  url: string,
  call: CallOptions,
): Promise<Repository> {
  return cloneRepository(repositories, { url, path, branch: undefined, depth: undefined }, call);
}

function moveTo(inside: Repository, commit: string): Promise<string | undefined> {
  return inside.withLock(async () => {
    const before = await detachedCommit(inside);
    await checkOut(inside, checkout(commit), commit);
    return leftCommit(inside, before);
  });
}

function assertRemote({ context }: Repositories, why: string): void {
  if (!context.allowRemote)
    throw new Error(`Refused: ${why}, and the server connects to remotes only with --allow-remote`);
}

/**
 * The URL of a submodule. A relative URL is resolved from the URL of `origin` or, if there is no `origin`,
 * from the work tree.
 */
async function absoluteUrl(repository: Repository, top: string, url: string): Promise<string> {
  if (!/^\.\.?(\/|$)/.test(url)) return url;
  const [origin = top] = await repository.run(remoteUrls('origin', false)).catch(() => []);
  const isLocal = !/^[a-z+]+:\/\/|^[^/]+:/.test(origin);
  let base = (isLocal && !isAbsolute(origin) ? resolve(top, origin) : origin).replace(/\/+$/, '');
  let rest = url;
  for (;;) {
    if (rest.startsWith('./')) rest = rest.slice(2);
    else if (rest.startsWith('../')) {
      rest = rest.slice(3);
      base = base.replace(/[/:][^/:]*$/, '');
    } else break;
  }
  return `${base}/${rest}`;
}
