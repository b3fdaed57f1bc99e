import { parseRemoteUrl } from '../../access/remote-url.ts';
import { deleteOnRemote, fetch, push, remoteUrls, type RemoteSide } from '../../commands/refs/remotes.ts';
import { commitHash } from '../../commands/objects/rev-parse.ts';
import { checkRefName } from '../../parse/validate-revision.ts';
import { quoted } from '../../safe-text.ts';
import { noSuch } from '../../errors.ts';
import { branchOfHead } from '../../queries/operation/head.ts';
import type { Repository } from '../../repository.ts';
import { startIntegration, type IntegrationResult } from '../integration/merge-and-rebase.ts';

export interface FetchRequest {
  readonly remote?: string | undefined;
  readonly branch?: string | undefined;
  readonly prune?: boolean;
  readonly tags?: boolean;
}

/** Fetches from a remote; changes only remote branches and tags. Returns the name of the remote. */
export async function fetchFrom(repository: Repository, request: FetchRequest): Promise<string> {
  const { remote = await upstreamRemote(repository), branch, prune = false, tags = false } = request;
  const remoteSide = await checkRemote(repository, remote, false);
  const named = branch === undefined ? undefined : checkRefName(branch);
  await repository.run(fetch({ remote, branch: named, prune, tags, remoteSide }));
  return remote;
}

export interface PullRequest {
  readonly remote?: string | undefined;
  readonly branch?: string | undefined;
  readonly how: 'fast-forward' | 'merge' | 'rebase';
}

/** Fetches a branch, by default the upstream, and merges it or rebases the current branch onto it. */
export async function pullFrom(
  repository: Repository,
  { remote, branch, how }: PullRequest,
): Promise<IntegrationResult> {
  const current = await repository.run(branchOfHead);
  const merge = current === undefined ? undefined : await repository.setting(`branch.${current}.merge`);
  const remoteBranch = branch ?? merge?.replace(/^refs\/heads\//, '') ?? current;
  if (remoteBranch === undefined) throw new Error('HEAD is detached: pass the branch to pull');
  const isLocal = remote === undefined && (await configuredRemote(repository, current)) === '.';
  if (!isLocal) await fetchFrom(repository, { remote, branch: remoteBranch });
  const revision = isLocal ? `refs/heads/${checkRefName(remoteBranch)}` : 'FETCH_HEAD';
  return startIntegration(repository, how === 'rebase' ? 'rebase' : 'merge', [revision], {
    fastForward: how === 'fast-forward' ? 'only' : undefined,
  });
}

export interface PushRequest {
  readonly remote?: string | undefined;
  readonly branch?: string | undefined;
  readonly to?: string | undefined;
  readonly force?: boolean;
  readonly setUpstream?: boolean;
  readonly tags?: boolean;
}

/** Pushes a branch, by default the current one. Returns a text such as `main to origin/main`. */
export async function pushTo(repository: Repository, request: PushRequest): Promise<string> {
  const branch = request.branch ?? (await repository.run(branchOfHead));
  if (branch === undefined) throw new Error('HEAD is detached: pass the branch to push');
  const remote = request.remote ?? (await pushRemote(repository, branch));
  const remoteSide = await checkRemote(repository, remote, true);
  const to = checkRefName(request.to ?? branch);
  const { force = false, setUpstream = false, tags = false } = request;
  const command = push({ remote, branch: checkRefName(branch), to, force, setUpstream, tags, remoteSide });
  const replaced = force ? await repository.run(commitHash(`refs/remotes/${remote}/${to}`)) : undefined;
  await repository.run(command);
  const was = replaced === undefined ? '' : `, which was at ${replaced.slice(0, 10)}`;
  return `${checkRefName(branch)} to ${remote}/${to}${was}`;
}

export interface RemoteBranch {
  readonly remote: string;
  readonly branch: string;
  /** The commit of the branch at the last fetch. */
  readonly hash: string;
}

/**
 * Returns a branch of `remote`; the remote defaults to the one to which a push sends the branch. Throws
 * `NotFoundError` if the last fetch found no such branch.
 */
export async function remoteBranch(
  repository: Repository,
  request: { readonly remote?: string | undefined; readonly branch: string },
): Promise<RemoteBranch> {
  const branch = checkRefName(request.branch);
  const remote = checkRefName(request.remote ?? (await pushRemote(repository, branch)), 'remote');
  const hash = await repository.run(commitHash(`refs/remotes/${remote}/${branch}`));
  if (hash !== undefined) return { remote, branch, hash };
  // If the remote itself does not exist, this check throws an error that says so.
  await checkRemote(repository, remote, true);
  const message = `No such branch of the remote ${quoted(remote)}: ${quoted(branch)}`;
  throw noSuch('remote branch', branch, { revision: remote, message });
}

/** Deletes a branch of a remote, unless it has moved since the last fetch. */
export async function deleteRemoteBranch(
  repository: Repository,
  { remote, branch, hash }: RemoteBranch,
): Promise<void> {
  const remoteSide = await checkRemote(repository, remote, true);
  await repository.run(deleteOnRemote({ remote, branch, expected: hash, remoteSide }));
}

/** Returns the remote of the current branch's upstream; `origin` if it has no upstream on a remote. */
async function upstreamRemote(repository: Repository): Promise<string> {
  const configured = await configuredRemote(repository, await repository.run(branchOfHead));
  return configured === undefined || configured === '.' ? 'origin' : configured;
}

/** Returns the remote to which a branch is pushed. The settings have the same precedence as in git. */
async function pushRemote(repository: Repository, branch: string): Promise<string> {
  const configured =
    (await repository.setting(`branch.${branch}.pushRemote`)) ??
    (await repository.setting('remote.pushDefault')) ??
    (await configuredRemote(repository, branch));
  return configured === undefined || configured === '.' ? 'origin' : configured;
}

async function configuredRemote(
  repository: Repository,
  branch: string | undefined,
): Promise<string | undefined> {
  return branch === undefined ? undefined : repository.setting(`branch.${branch}.remote`);
}

/** Checks every URL of a remote, as rewritten by git (`insteadOf`), before git connects. */
async function checkRemote(repository: Repository, remote: string, forPush: boolean): Promise<RemoteSide> {
  checkRefName(remote, 'remote');
  const { top } = await repository.layout();
  const urls = await repository.run(remoteUrls(remote, forPush));
  const locations = urls.map((url) => parseRemoteUrl(url, repository.allowed, top));
  const locals = locations.filter((location) => location.local);
  if (locals.length > 0 && locals.length < locations.length) {
    throw new Error(
      `The remote ${quoted(remote)} has URLs on this machine and on other hosts; expected only one of the two`,
    );
  }
  for (const { path } of locals) await repository.assertLocalRemoteAllowed(path);
  return { local: locals.length > 0, trusted: repository.trusted };
}
