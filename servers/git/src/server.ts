import { defineServer, readInClientRoots, runInClientRoots } from '@mcp/protocol';
import manifest from '../package.json' with { type: 'json' };
import { AllowedDirectories, type RepositoriesOptions } from '@mcp/safe-git';
import type { Git } from './context.ts';
import { clientRoots } from './input/client-roots.ts';
import { resources } from './resources.ts';
import { skills } from './skills.ts';
import { scopeText } from './text/scope-text.ts';
import { views } from './views.ts';

export interface GitOptions extends RepositoriesOptions {
  /** Repositories, or directories of repositories. If empty, the roots of each client are allowed. */
  directories: readonly string[];
  /** Publish git_bisect, git_submodule, git_range_diff and git_shortlog, too. Defaults to false. */
  history?: boolean | undefined;
  /** Answer with structured content too, and publish its schemas with the tools. Defaults to false. */
  structured?: boolean | undefined;
  /**
   * Whether git is tried even without a client, so that an unusable one is reported at the start. Default:
   * false, because a program that plans work for later answers its first message later.
   */
  tryGit?: boolean | undefined;
  /** Called when git is about to be used. */
  opened?: (() => void) | undefined;
  /** Receives the reason if no call can succeed: git is too old, or a named directory may not be used. */
  unusable?: ((reason: unknown) => void) | undefined;
}

/** How the tools are used, in a few words that every conversation pays for. */
const usage =
  'Paths start at the top of the repository; absolute ones, and those that start with its name, are understood. ' +
  'git_grep takes text literally unless regexp. git_log finds by path (with follow), function, changed_text; with patch it shows the changes. ' +
  'Answers end with how a change is undone: what a hard reset, restore or removed work tree discards is kept for 30 days. Where lines of files have numbers, they are shown as number, tab, text.';

/** The time after the start at which git is tried: most handshakes have ended before. */
const afterHandshakeMs = 50;

/** The git server for the repositories in `directories`. Throws if one of them does not exist. */
export function git({
  directories,
  history = false,
  structured = false,
  tryGit = false,
  opened: onOpened = () => {},
  unusable = () => {},
  ...options
}: GitOptions) {
  const allowed = new AllowedDirectories(directories);
  let opened: Promise<Git> | undefined;
  const open = async (): Promise<Git> => {
    const { Repositories } = await import('@mcp/safe-git');
    const repositories = new Repositories(allowed, options);
    repositories.check().catch(unusable);
    onOpened();
    return { repositories, structured };
  };
  const context = () => (opened ??= open());
  if (tryGit) setTimeout(() => void context(), afterHandshakeMs);
  return defineServer<Git>({
    name: manifest.name,
    version: manifest.version,
    title: 'Git',
    instructions: `${scopeText(allowed.directories)} ${usage}`,
    // Runs after the handshake, because the imports and the first git process would delay it.
    context,
    // If the operator has named directories, only these are allowed, and the roots of clients are ignored.
    ...(allowed.isEmpty && {
      contextFor: (roots: readonly { readonly uri: string }[], { repositories }: Git) => ({
        repositories: repositories.within(roots.map(({ uri }) => uri)),
        structured,
      }),
    }),
    tools: async () => {
      const { toolsFor } = await import('./tools.ts');
      const tools = toolsFor({ ...options, history, structured });
      return allowed.isEmpty ? runInClientRoots(tools, clientRoots) : tools;
    },
    prompts: async () => {
      const { prompts } = await import('./prompts.ts');
      return allowed.isEmpty ? runInClientRoots(prompts, clientRoots) : prompts;
    },
    extensions: [skills, views],
    resources: allowed.isEmpty ? readInClientRoots(resources, clientRoots) : resources,
  });
}
