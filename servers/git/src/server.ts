import { defineServer } from '@mcp/protocol';
import manifest from '../package.json' with { type: 'json' };
import { AllowedDirectories } from './backend/access/allowed-directories.ts';
import type { RepositoriesOptions } from './backend/repositories.ts';
import type { Git } from './context.ts';
import { resources } from './resources.ts';

export interface GitOptions extends RepositoriesOptions {
  /** What may be touched: these repositories, and those in these directories. */
  directories: readonly string[];
  /** Hears why nothing can be done: git is too old, or what was named may not be touched. Each call says so too. */
  unusable?: ((reason: unknown) => void) | undefined;
}

/** A client says hello in less, as a rule. */
const afterTheHandshakeMs = 50;

/** Everything a host can see of the repositories that were named. */
export function git({ directories, unusable = () => {}, ...options }: GitOptions) {
  // What is not there is told before a host says hello.
  const allowed = new AllowedDirectories(directories);
  let opened: Promise<Git> | undefined;
  const open = async (): Promise<Git> => {
    const { Repositories } = await import('./backend/repositories.ts');
    const repositories = new Repositories(allowed, options);
    repositories.check().catch(unusable);
    return { repositories };
  };
  const context = () => (opened ??= open());
  // Also where no client says a word: who only tries it out should hear of a git that is too old.
  setTimeout(() => void context(), afterTheHandshakeMs);
  return defineServer({
    name: manifest.name,
    version: manifest.version,
    title: 'Git',
    instructions: instructionsFor(allowed),
    // All that is imported is loaded after the handshake, and git is started then: it takes longer than
    // everything before.
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
      ? `Works on ${directories[0]}; repo_path may be left out.`
      : `Works on ${directories.join(', ')}; say which with repo_path.`;
  return `${where} Paths are relative to the top of the repository.`;
}
