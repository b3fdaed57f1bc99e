import { basename, isAbsolute, join } from 'node:path';
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
import { FileStates, identities } from '../file-states.ts';
import { listSettings, type Setting } from './git-config.ts';
import type { GitContext } from './git-context.ts';
import { inspect } from './inspect.ts';
import { refuseFifos } from './refuse-fifos.ts';
import { decisiveFiles, layoutArgs, parseLayout, type Layout } from './repository-layout.ts';
import { submoduleNames, type SubmoduleNames } from './submodule-names.ts';

/** Where a repository is. */
export interface Location {
  readonly layout: Layout;
  /**
   * The files that decide the layout and the configuration; undefined if other files may decide them, too.
   */
  readonly states: FileStates | undefined;
}

export interface Inspection extends Location {
  /** Changes when one of the `decisiveFiles` of the repository changes. */
  readonly fingerprint: string;
  readonly environment: Environment;
  readonly remoteEnvironment: Environment;
  readonly settings: readonly Setting[];
  readonly submodules: SubmoduleNames;
  /** Whether the configuration includes other files. The fingerprint does not cover these files. */
  readonly includes: boolean;
}

/** What an earlier inspection has found. */
type Known = Location & Partial<Pick<Inspection, 'settings' | 'submodules'>>;

/**
 * Finds the repository at `root`. Throws if there is none, or if a part of it, such as its `.git`, is outside
 * the allowed directories. Returns `last`, without starting git, if the files that decide the location are
 * the same.
 */
export async function locateRepository(context: GitContext, root: string, last?: Known): Promise<Location> {
  const { allowed, environments } = context;
  refuseFifos(root, allowed);
  if (last?.states?.areSame) {
    await assertLayoutAllowed(last.layout, allowed);
    return last;
  }
  const readMs = Date.now();
  const output = await inspect(context, layoutArgs, root);
  const layout = parseLayout(output.stdout);
  if (!layout) {
    if (output.code !== 0) throw locateError(output, root);
    throw new Error('The path of the repository is not UTF-8 or contains a line break');
  }
  // A bare repository may be hidden among the files of another repository, so only the operator can name one.
  if (layout.bare && !allowed.directories.includes(layout.gitDir)) {
    throw new GitError(
      `A bare repository is used only if its own directory is allowed: ${quoted(basename(root))}`,
    );
  }
  const files = [...decisiveFiles(layout), ...operatorFiles(environments.inspection, last?.settings)];
  // If `root` is a subdirectory, a repository could be created between it and the top. Without `states`, git
  // looks for the repository again each time.
  const states = layout.top === root ? new FileStates(files, readMs) : undefined;
  await assertLayoutAllowed(layout, allowed);
  return { layout, states };
}

/**
 * Locates the repository at `root` and reads its configuration. Uses the parts of `last` whose files have not
 * changed.
 */
export async function inspectRepository(
  context: GitContext,
  root: string,
  last?: Known,
): Promise<Inspection> {
  const { trust, allowRemote } = context;
  const located = await locateRepository(context, root, last);
  const { layout } = located;
  // The fingerprint comes first: a change during the reading outdates it, so the next command inspects again.
  const fingerprint = identities(decisiveFiles(layout));
  const [settings, submodules] = await Promise.all([
    (located === last && last.settings) || readSettings(context, root),
    trust || layout.bare ? { names: [] } : submoduleNames(context, layout, last?.submodules),
  ]);
  const isLazy = settings.some(({ key }) => /^(extensions\.partialclone|remote\..*\.promisor)$/s.test(key));
  const safe = (remote: boolean) =>
    safeEnvironment(context, layout, settings, { remote, submodules: submodules.names });
  const trusted = () => trustedEnvironment(context, settings);
  return {
    layout,
    states: isDecidedBy(located.states, settings) ? located.states : undefined,
    fingerprint,
    settings,
    // Only the names are reused in a partial clone. It may fetch another `.gitmodules` later, so the next
    // inspection reads the submodules again.
    submodules: isLazy ? { names: submodules.names } : submodules,
    includes: settings.some((setting) => isOwn(setting) && isInclude(setting)),
    environment: trust ? trusted() : safe(false),
    remoteEnvironment: trust ? trusted() : allowRemote ? safe(true) : {},
  };
}

async function readSettings(context: GitContext, root: string): Promise<Setting[]> {
  const listed = await inspect(context, listSettings.args, root);
  if (listed.code !== 0) throw commandError({}, listed);
  return listSettings.parse(listed.stdout);
}

const fileOrigin = 'file:';

/** The configuration files of the operator: where git looks for them, and where it found settings. */
function operatorFiles(environment: Environment, settings: readonly Setting[] = []): string[] {
  const { HOME, USERPROFILE, XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM } = environment;
  const home = HOME ?? USERPROFILE;
  const config = XDG_CONFIG_HOME ?? (home && join(home, '.config'));
  const looked = [
    GIT_CONFIG_SYSTEM ?? '/etc/gitconfig',
    GIT_CONFIG_GLOBAL,
    home && join(home, '.gitconfig'),
    config && join(config, 'git', 'config'),
  ];
  const found = settings.filter((setting) => !isOwn(setting)).map(fileOf);
  return [...new Set([...looked, ...found])].filter(
    (path) => path !== undefined && isAbsolute(path),
  ) as string[];
}

/** Whether the settings can change only if one of the files in `states` changes. */
function isDecidedBy(states: FileStates | undefined, settings: readonly Setting[]): boolean {
  return settings.every((setting) => {
    const path = fileOf(setting);
    return !isInclude(setting) && (isOwn(setting) || path === undefined || states?.covers(path));
  });
}

function fileOf({ origin }: Setting): string | undefined {
  return origin.startsWith(fileOrigin) ? origin.slice(fileOrigin.length) : undefined;
}

function isOwn({ scope }: Setting): boolean {
  return scope === 'local' || scope === 'worktree';
}

function isInclude({ key }: Setting): boolean {
  return /^include(if)?\./.test(key);
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
