import { basename } from 'node:path';
import { defineServer, readInClientRoots, runInClientRoots } from '@mcp/protocol';
import manifest from '../package.json' with { type: 'json' };
import { AllowedDirectories } from './backend/access/allowed-directories.ts';
import { repositoriesInside } from './backend/access/repositories-inside.ts';
import { displayName } from './backend/display-name.ts';
import type { RepositoriesOptions } from './backend/repositories.ts';
import type { Git } from './context.ts';
import { clientRoots } from './input/client-roots.ts';
import { resources } from './resources.ts';

export interface GitOptions extends RepositoriesOptions {
  /**
   * The allowed directories: repositories, or directories of repositories. If empty, the roots of each
   * client.
   */
  directories: readonly string[];
  /** Receives the reason if no call can succeed: git is too old, or a named directory may not be used. */
  unusable?: ((reason: unknown) => void) | undefined;
}

/** Longer than most handshakes. */
const afterHandshakeMs = 50;

/** The git server for the repositories in `directories`. Throws if one of them does not exist. */
export function git({ directories, unusable = () => {}, ...options }: GitOptions) {
  const allowed = new AllowedDirectories(directories);
  let opened: Promise<Git> | undefined;
  const open = async (): Promise<Git> => {
    const { Repositories } = await import('./backend/repositories.ts');
    const repositories = new Repositories(allowed, options);
    repositories.check().catch(unusable);
    return { repositories };
  };
  const context = () => (opened ??= open());
  // Without a client, too, so that an unusable git is reported at the start.
  setTimeout(() => void context(), afterHandshakeMs);
  return defineServer<Git>({
    name: manifest.name,
    version: manifest.version,
    title: 'Git',
    instructions: instructionsFor(allowed),
    // Loaded after the handshake, since imports and the first git take longer than the handshake.
    context,
    // Named directories are all that is allowed, whatever the roots.
    ...(allowed.isEmpty && {
      contextFor: (roots: readonly { readonly uri: string }[], { repositories }: Git) => ({
        repositories: repositories.within(roots.map(({ uri }) => uri)),
      }),
    }),
    tools: async () => {
      const { readingTools, writingTools, remoteTools } = await import('./tools.ts');
      const tools = options.readOnly
        ? readingTools
        : [...readingTools, ...writingTools, ...(options.allowRemote ? remoteTools : [])];
      return allowed.isEmpty ? runInClientRoots(tools, clientRoots) : tools;
    },
    prompts: async () => {
      const { prompts } = await import('./prompts.ts');
      return allowed.isEmpty ? runInClientRoots(prompts, clientRoots) : prompts;
    },
    resources: allowed.isEmpty ? readInClientRoots(resources, clientRoots) : resources,
  });
}

function instructionsFor({ directories }: AllowedDirectories): string {
  return `${scopeOf(directories)} Paths are relative to the top of the repository.`;
}

const maxNamed = 20;

function scopeOf(directories: readonly string[]): string {
  if (directories.length === 0)
    return 'Works on the roots of the client; repo_path may be omitted where they have one repository.';
  const repositories = repositoriesInside(directories);
  const all = directories.join(', ');
  if (directories.every((directory) => repositories.includes(directory)))
    return `Works on ${all}; ${directories.length === 1 ? 'repo_path may be omitted' : 'pass one as repo_path'}.`;
  if (repositories.length === 0) return `Works on the repositories in ${all}; there is none yet.`;
  const names = repositories.map((root) => displayName(basename(root)));
  const more = names.length > maxNamed ? ', …' : '';
  const list = names.slice(0, maxNamed).join(', ') + more;
  return names.length === 1
    ? `Works on the repositories in ${all}; repo_path may be omitted while ${list} is the only one.`
    : `Works on the repositories in ${all}; pass the name of one as repo_path: ${list}.`;
}
