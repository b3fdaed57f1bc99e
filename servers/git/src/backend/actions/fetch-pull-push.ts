import { fetch, push, remoteUrls, type RemoteSide } from '../commands/remotes.ts';
import { checkRefName } from '../commands/validate-revision.ts';
import { branchOfHead } from '../queries/head.ts';
import { startIntegration, type IntegrationResult } from './merge-and-rebase.ts';
import { parseRemoteUrl } from '../access/remote-url.ts';
import type { CallOptions, Repository } from '../repository.ts';

export interface FetchRequest {
  readonly remote?: string | undefined;
  readonly branch?: string | undefined;
  readonly prune?: boolean;
  readonly tags?: boolean;
}

/** Fetches from a remote; changes only remote branches and tags. Returns the name of the remote. */
export async function fetchFrom(
  repository: Repository,
  request: FetchRequest,
  call: CallOptions,
): Promise<string> {
  const { remote = await defaultRemote(repository), branch, prune = false, tags = false } = request;
  const remoteSide = await checkRemote(repository, remote, false);
  const named = branch === undefined ? undefined : checkRefName(branch);
  await repository.run(fetch({ remote, branch: named, prune, tags, remoteSide }), call);
  return remote;
}

/** Fetches a branch, by default the upstream of the current one, and integrates it. */
export async function pullFrom(
  repository: Repository,
  {
    remote,
    branch,
    how,
  }: { remote?: string | undefined; branch?: string | undefined; how: 'fast-forward' | 'merge' | 'rebase' },
  call: CallOptions,
): Promise<IntegrationResult> {
  const current = await repository.run(branchOfHead, call);
  const merge = current === undefined ? undefined : await repository.setting(`branch.${current}.merge`);
  const remoteBranch = branch ?? merge?.replace(/^refs\/heads\//, '') ?? current;
  if (remoteBranch === undefined) throw new Error('HEAD is detached: pass the branch to pull');
  await fetchFrom(repository, { remote, branch: remoteBranch }, call);
  return startIntegration(repository, how === 'rebase' ? 'rebase' : 'merge', 'FETCH_HEAD', {
    ...call,
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

/** Pushes a branch to a remote. Returns what was pushed, in words. */
export async function pushTo(
  repository: Repository,
  request: PushRequest,
  call: CallOptions,
): Promise<string> {
  const branch = request.branch ?? (await repository.run(branchOfHead, call));
  if (branch === undefined) throw new Error('HEAD is detached: pass the branch to push');
  const remote = request.remote ?? (await defaultRemote(repository));
  const remoteSide = await checkRemote(repository, remote, true);
  const to = checkRefName(request.to ?? branch);
  const { force = false, setUpstream = false, tags = false } = request;
  await repository.run(
    push({ remote, branch: checkRefName(branch), to, force, setUpstream, tags, remoteSide }),
    call,
  );
  return `${checkRefName(branch)} to ${remote}/${to}`;
}

async function defaultRemote(repository: Repository): Promise<string> {
  const branch = await repository.run(branchOfHead);
  const configured = branch === undefined ? undefined : await repository.setting(`branch.${branch}.remote`);
  return configured === undefined || configured === '.' ? 'origin' : configured;
}

/** Checks every URL of a remote, as the configuration rewrites it, before git connects to it. */
async function checkRemote(repository: Repository, remote: string, forPush: boolean): Promise<RemoteSide> {
  checkRefName(remote, 'remote');
  const { top } = await repository.layout();
  const urls = await repository.run(remoteUrls(remote, forPush));
  const locations = urls.map((url) => parseRemoteUrl(url, repository.allowed, top));
  const locals = locations.filter((location) => location.local);
  if (locals.length > 0 && locals.length < locations.length) {
    throw new Error('The remote has URLs on this machine and on other hosts; expected one kind');
  }
  for (const { path } of locals) await repository.assertLocalRemoteAllowed(path);
  return { local: locals.length > 0, trusted: repository.trusted };
}
