import { fetch, push, remoteUrls, type FarEnd } from '../commands/remotes.ts';
import { refName } from '../commands/validate-revision.ts';
import { branchOfHead } from '../queries/head.ts';
import { begin, type Integrated } from './merge-and-rebase.ts';
import { remoteAddress } from '../access/remote-url.ts';
import type { Caller, Repository } from '../repository.ts';

export interface FetchRequest {
  readonly remote?: string | undefined;
  readonly branch?: string | undefined;
  readonly prune?: boolean;
  readonly tags?: boolean;
}

/** Gets what a remote has, and changes nothing but remote branches and tags. */
export async function fetchFrom(
  repository: Repository,
  request: FetchRequest,
  caller: Caller,
): Promise<string> {
  const { remote = await usualRemote(repository), branch, prune = false, tags = false } = request;
  const farEnd = await reach(repository, remote, false);
  const named = branch === undefined ? undefined : refName(branch);
  await repository.run(fetch({ remote, branch: named, prune, tags, farEnd }), caller);
  return remote;
}

/** Gets the branch that the current one follows, and integrates it. */
export async function pullFrom(
  repository: Repository,
  {
    remote,
    branch,
    how,
  }: { remote?: string | undefined; branch?: string | undefined; how: 'fast-forward' | 'merge' | 'rebase' },
  caller: Caller,
): Promise<Integrated> {
  const current = await repository.run(branchOfHead, caller);
  const merge = current === undefined ? undefined : await repository.setting(`branch.${current}.merge`);
  const wanted = branch ?? merge?.replace(/^refs\/heads\//, '') ?? current;
  if (wanted === undefined) throw new Error('Say which branch to pull: HEAD is detached');
  await fetchFrom(repository, { remote, branch: wanted }, caller);
  return begin(repository, how === 'rebase' ? 'rebase' : 'merge', 'FETCH_HEAD', {
    ...caller,
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

/** Sends a branch to a remote. */
export async function pushTo(repository: Repository, request: PushRequest, caller: Caller): Promise<string> {
  const branch = request.branch ?? (await repository.run(branchOfHead, caller));
  if (branch === undefined) throw new Error('Say which branch to push: HEAD is detached');
  const remote = request.remote ?? (await usualRemote(repository));
  const farEnd = await reach(repository, remote, true);
  const to = refName(request.to ?? branch);
  const { force = false, setUpstream = false, tags = false } = request;
  await repository.run(
    push({ remote, branch: refName(branch), to, force, setUpstream, tags, farEnd }),
    caller,
  );
  return `${refName(branch)} to ${remote}/${to}`;
}

async function usualRemote(repository: Repository): Promise<string> {
  const branch = await repository.run(branchOfHead);
  const set = branch === undefined ? undefined : await repository.setting(`branch.${branch}.remote`);
  return set === undefined || set === '.' ? 'origin' : set;
}

/** Looks at every address of a remote, as the configuration rewrites it, before anything speaks to it. */
async function reach(repository: Repository, remote: string, forPush: boolean): Promise<FarEnd> {
  refName(remote, 'remote');
  const { top } = await repository.layout();
  const urls = await repository.run(remoteUrls(remote, forPush));
  const addresses = urls.map((url) => remoteAddress(url, repository.bound, top));
  const locals = addresses.filter((address) => address.local);
  if (locals.length > 0 && locals.length < addresses.length) {
    throw new Error('The remote has addresses on this machine and elsewhere; accepted is one kind');
  }
  for (const { path } of locals) await repository.admitFarEnd(path);
  return { local: locals.length > 0, trusted: repository.trusted };
}
