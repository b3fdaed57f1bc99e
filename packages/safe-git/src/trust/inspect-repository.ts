import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { CommandOutput } from '../command.ts';
import { quoted } from '../safe-text.ts';
import { commandError, GitError, NoRepositoryError } from '../errors.ts';
import type { Environment } from '../process/git-process.ts';
import { assertLayoutAllowed } from './check-layout.ts';
import {
  outputOverrides,
  overridesAsEnvironment,
  safeOverrides,
  signingOverrides,
  UndecodableKeyError,
} from './config-overrides.ts';
import { listSettings, listSubmodules, parseSubmodules, submoduleBlobs, type Setting } from './git-config.ts';
import type { GitContext } from './git-context.ts';
import { inspect } from './inspect.ts';
import { refuseFifo, refuseFifos } from './refuse-fifos.ts';
import { fingerprint, layoutArgs, parseLayout, type Layout } from './repository-layout.ts';

export interface Inspection {
  /** Changes when any file from which this inspection was read has changed. */
  readonly fingerprint: string;
  readonly layout: Layout;
  readonly environment: Environment;
  readonly remoteEnvironment: Environment;
  readonly settings: readonly Setting[];
  /** Whether the configuration includes other files. The fingerprint does not cover these files. */
  readonly includes: boolean;
}

/** Finds the repository at `root`. Throws if there is none, or if a part of it is outside. */
export async function locateRepository(context: GitContext, root: string): Promise<Layout> {
  const { allowed } = context;
  refuseFifos(root, allowed);
  const output = await inspect(context, layoutArgs, root);
  const layout = parseLayout(output.stdout);
  if (!layout) {
    if (output.code !== 0) throw locateError(output, root);
    throw new Error('The path of the repository is not UTF-8 or contains a line break');
  }
  // A bare repository may be hidden among files of another, so only the operator can name one.
  if (layout.bare && !allowed.directories.includes(layout.gitDir)) {
    throw new GitError(
      `A bare repository is used only if its own directory is allowed: ${quoted(basename(root))}`,
    );
  }
  await assertLayoutAllowed(layout, allowed);
  return layout;
}

/** Locates the repository at `root` and reads its configuration. */
export async function inspectRepository(context: GitContext, root: string): Promise<Inspection> {
  const { trust, allowRemote } = context;
  const layout = await locateRepository(context, root);
  // The fingerprint comes first: a change during the reading outdates it, so the next command inspects again.
  const before = fingerprint(layout);
  const [listed, submodules] = await Promise.all([
    inspect(context, listSettings.args, root),
    trust || layout.bare ? [] : submoduleNames(context, layout.top),
  ]);
  if (listed.code !== 0) throw commandError({}, listed);
  const settings = listSettings.parse(listed.stdout);
  const own = settings.filter(({ scope }) => scope === 'local' || scope === 'worktree');
  const safe = (remote: boolean) => safeEnvironment(context, layout, settings, { remote, submodules });
  const trusted = () => trustedEnvironment(context, settings);
  return {
    fingerprint: before,
    layout,
    settings,
    includes: own.some(({ key }) => /^include(if)?\./.test(key)),
    environment: trust ? trusted() : safe(false),
    remoteEnvironment: trust ? trusted() : allowRemote ? safe(true) : {},
  };
}

/** Each submodule needs its own overrides, because its settings take precedence over general ones. */
async function submoduleNames(context: GitContext, top: string): Promise<string[]> {
  const { args, input, parse } = submoduleBlobs;
  const found = await inspect(context, args, top, input);
  const blobs = found.code === 0 ? parse(found.stdout) : input.trim().split('\n');
  const lists = blobs.map((blob) => listSubmodules('--blob', blob));
  const file = '.gitmodules';
  refuseFifo(join(top, file), file);
  if (lstatSync(join(top, file), { throwIfNoEntry: false })) lists.push(listSubmodules('--file', file));
  const outputs = await Promise.all(lists.map((list) => inspect(context, list, top)));
  return outputs.flatMap(({ code, stdout }) => (code === 0 ? parseSubmodules(stdout) : []));
}

function trustedEnvironment(
  { environments, allowRemote, sign }: GitContext,
  settings: readonly Setting[],
): Environment {
  return {
    ...environments.trusted,
    ...overridesAsEnvironment([...outputOverrides, ...(sign ? signingOverrides(settings) : [])]),
    ...(!allowRemote && { GIT_ALLOW_PROTOCOL: '' }),
  };
}

function safeEnvironment(
  { environments: { untrusted, remote: network, signing, proxy }, sign }: GitContext,
  { top, gitDir, bare }: Layout,
  settings: readonly Setting[],
  { remote, submodules }: { remote: boolean; submodules: readonly string[] },
): Environment {
  try {
    return {
      ...untrusted,
      ...(sign && signing),
      ...(remote && { ...network, GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file' }),
      ...overridesAsEnvironment(safeOverrides(settings, { remote, sign, submodules, proxy })),
      // Git uses the directories that were checked, and searches for no repository.
      GIT_DIR: gitDir,
      ...(!bare && { GIT_WORK_TREE: top }),
    };
  } catch (error) {
    if (!(error instanceof UndecodableKeyError)) throw error;
    throw new GitError(
      "Refused: the repository's configuration names a program under a name that is not UTF-8, and the repository is not trusted",
      'not trusted',
    );
  }
}

function locateError(output: CommandOutput, root: string): Error {
  if (/not a git repository/.test(output.stderr)) {
    return new NoRepositoryError(`Not a git repository: ${quoted(basename(root))}`);
  }
  return commandError({}, output);
}
