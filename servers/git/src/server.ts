import { defineServer } from '@mcp/protocol';
import manifest from '../package.json' with { type: 'json' };
import { Repositories, type RepositoriesOptions } from './backend/repositories.ts';
import type { Git } from './context.ts';
import { resources } from './resources.ts';

export interface GitOptions extends RepositoriesOptions {
  /** Hears why nothing can be done: git is too old, or what was named may not be touched. Each call says so too. */
  unusable?: ((reason: unknown) => void) | undefined;
}

const afterTheHandshakeMs = 30;

/** Everything a host can see of the repositories that were named. */
export function git({ unusable = () => {}, ...options }: GitOptions) {
  const context: Git = { repositories: new Repositories(options) };
  // To start git takes longer than everything before the handshake, and what it says is rarely bad news.
  setTimeout(() => void context.repositories.check().catch(unusable), afterTheHandshakeMs);
  const roots = context.repositories.named.map(({ root }) => root);
  return defineServer({
    name: manifest.name,
    version: manifest.version,
    title: 'Git',
    instructions:
      roots.length === 1
        ? `Works on ${roots[0]}; repo_path may be left out. Paths are relative to the top of the repository.`
        : `Works on ${roots.join(', ')}; say which with repo_path. Paths are relative to the top of the repository.`,
    context,
    // Loaded after the handshake: building schemas takes longer than everything before it.
    tools: async () => {
      const { readingTools, writingTools, remoteTools } = await import('./tools.ts');
      if (options.readOnly) return readingTools;
      return [...readingTools, ...writingTools, ...(options.allowRemote ? remoteTools : [])];
    },
    prompts: async () => (await import('./prompts.ts')).prompts,
    resources,
  });
}
