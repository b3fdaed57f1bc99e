import { argv } from '../../argv.ts';
import type { Command, Refusal } from '../../command.ts';
import { escapeName, quoted } from '../../safe-text.ts';
import { missing } from '../../missing.ts';
import { lines } from '../../parse/printed.ts';

/** Settings that keep git from running programs named in the configuration of a remote on this machine. */
const localRemoteSettings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.alternateRefsCommand=true',
  'receive.denyCurrentBranch=refuse',
  'receive.autogc=false',
  'receive.fsckObjects=false',
  'transfer.fsckObjects=false',
  'gc.auto=0',
  'maintenance.auto=false',
];

/** Whether the git process at the other end of a connection runs on this machine, and is trusted. */
export interface RemoteSide {
  readonly local: boolean;
  readonly trusted: boolean;
}

function program(name: 'upload-pack' | 'receive-pack', { local, trusted }: RemoteSide): string {
  if (!local || trusted) return `git-${name}`;
  return ['git', ...localRemoteSettings.map((pair) => `-c ${pair}`), name].join(' ');
}

const refusals: readonly Refusal[] = [
  [
    /\[remote rejected\].*\((.*)\)/,
    ([, reason = '']) => `The remote refused the push: ${escapeName(reason)}`,
  ],
  [
    /rejected.*\(stale info\)/,
    'Rejected: the remote branch has moved since it was last fetched; fetch it and look at its commits first',
  ],
  [
    /\[rejected\]|non-fast-forward|fetch first/,
    'Rejected: the remote branch has commits that the local branch does not have; fetch and integrate them first',
  ],
  [
    /does not appear to be a git repository|Could not read from remote repository/,
    'The remote cannot be reached, or its URL leads to no repository; check its URL and your access',
  ],
  [
    /couldn't find remote ref (?:refs\/heads\/)?(\S+)/i,
    ([, name = '']) => `The remote has no branch or tag ${quoted(name)}`,
  ],
  [
    /Could not resolve host|Failed to connect|Connection refused|unable to access/i,
    'The remote cannot be reached; check its URL and the network',
  ],
];

/** The URLs of a remote, as git has rewritten them by the settings `insteadOf`. */
export function remoteUrls(name: string, push: boolean): Command<string[]> {
  return {
    args: argv`remote get-url --all ${push && '--push'} ${name}`,
    refusals: [[/No such remote/, missing('remote', name)]],
    parse: lines,
  };
}

export interface FetchOptions {
  readonly remote: string;
  readonly branch?: string | undefined;
  readonly prune?: boolean;
  readonly tags?: boolean;
  readonly remoteSide: RemoteSide;
}

export function fetch({ remote, branch, prune, tags, remoteSide }: FetchOptions): Command<void> {
  return {
    kind: 'remote',
    args: argv`fetch --progress --no-recurse-submodules --no-auto-maintenance --atomic
      --upload-pack=${program('upload-pack', remoteSide)} ${prune && '--prune'} ${tags && '--tags'}
      -- ${remote} refs/heads/${branch}`,
    refusals,
  };
}

export interface PushOptions {
  readonly remote: string;
  readonly branch: string;
  /** The name of the destination branch on the remote. */
  readonly to: string;
  readonly force?: boolean;
  readonly setUpstream?: boolean;
  readonly tags?: boolean;
  readonly remoteSide: RemoteSide;
}

export function push({ remote, branch, to, remoteSide, ...options }: PushOptions): Command<void> {
  const { force, setUpstream, tags } = options;
  return {
    kind: 'remote',
    args: argv`${pushArgs(remote, remoteSide)} ${force && '--force-with-lease'}
      ${setUpstream && '--set-upstream'} ${tags && '--follow-tags'}
      -- ${remote} refs/heads/${branch}:refs/heads/${to}`,
    refusals: [[/src refspec .* does not match any/, missing('branch', branch)], ...refusals],
  };
}

export interface DeleteOptions {
  readonly remote: string;
  readonly branch: string;
  /** The commit at which the branch was when it was last fetched. */
  readonly expected: string;
  readonly remoteSide: RemoteSide;
}

export function deleteOnRemote({ remote, branch, expected, remoteSide }: DeleteOptions): Command<void> {
  return {
    kind: 'remote',
    args: argv`${pushArgs(remote, remoteSide)} --force-with-lease=refs/heads/${branch}:${expected}
      -- ${remote} :refs/heads/${branch}`,
    refusals,
  };
}

function pushArgs(remote: string, remoteSide: RemoteSide): string[] {
  // Git would refuse to push one branch to a remote that is configured as a mirror.
  return argv`-c remote.${remote}.mirror=false push --progress --atomic --recurse-submodules=no
    --receive-pack=${program('receive-pack', remoteSide)} ${remoteSide.trusted ? [] : ['--no-verify', '--no-signed']}`;
}

export interface CloneOptions {
  readonly url: string;
  readonly directory: string;
  readonly branch?: string | undefined;
  readonly depth?: number | undefined;
  readonly remoteSide: RemoteSide;
}

export function clone({ url, directory, branch, depth, remoteSide }: CloneOptions): Command<void> {
  return {
    kind: 'remote',
    // With --no-local, git transfers objects as from a remote host: it makes no hard links and copies no
    // other files.
    args: argv`clone --progress --no-recurse-submodules --no-local --template=
      --upload-pack=${program('upload-pack', remoteSide)} --branch=${branch} --depth=${depth}
      -- ${url} ${directory}`,
    refusals: [
      [
        /already exists and is not an empty directory/,
        `The directory already exists and is not empty: ${quoted(directory)}`,
      ],
      ...refusals,
    ],
  };
}

export function init(directory: string, branch: string | undefined): Command<void> {
  return { kind: 'write', args: argv`init --quiet --template= --initial-branch=${branch} -- ${directory}` };
}
