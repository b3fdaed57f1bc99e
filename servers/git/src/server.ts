import { defineServer } from '@mcp/protocol';
import manifest from '../package.json' with { type: 'json' };
import { AllowedDirectories } from './backend/access/allowed-directories.ts';
import type { RepositoriesOptions } from './backend/repositories.ts';
import type { Git } from './context.ts';
import { resources } from './resources.ts';

export interface GitOptions extends RepositoriesOptions {
  /** The allowed directories: repositories, or directories of repositories. */
  directories: readonly string[];
  /** Receives the reason where no call can succeed: git is too old, or a named directory may not be used. */
  unusable?: ((reason: unknown) => void) | undefined;
}

/** The handshake takes less, as a rule. */
const afterHandshakeMs = 50;

/** The git server for the repositories in `directories`. Throws where one of them does not exist. */
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
  return defineServer({
    name: manifest.name,
    version: manifest.version,
    title: 'Git',
    instructions: instructionsFor(allowed),
    // Loaded after the handshake, since imports and the first git take longer than the handshake.
    context,
    tools: async () => {
      const { readingTools, writingTools, remoteTools } = await import('./tools.ts');
      if (options.readOnly) return readingTools;
      return [...readingTools, ...writingTools, ...(options.allowRemote ? remoteTools : [])];
    },
    prompts: async () => (await import('./prompts.ts')).prompts,
    resources,
  });
}

function instructionsFor({ directories }: AllowedDirectories): string {
  const where =
    directories.length === 1
      ? `Works on ${directories[0]}; repo_path may be omitted.`
      : `Works on ${directories.join(', ')}; pass one as repo_path.`;
  return `${where} Paths are relative to the top of the repository.`;
}
