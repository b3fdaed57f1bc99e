import { defineServer } from '@mcp/protocol';
import manifest from '../package.json' with { type: 'json' };
import { Sandbox, type SandboxOptions } from './backend/sandbox.ts';
import type { Filesystem } from './context.ts';
import { file, fileOnLocalhost } from './resources/file.ts';

/** Everything a host can see of the files below the allowed directories. */
export async function filesystem(options: SandboxOptions) {
  const context: Filesystem = { sandbox: await Sandbox.open(options) };
  return defineServer({
    name: manifest.name,
    version: manifest.version,
    title: 'Filesystem',
    instructions: instructionsFor(context.sandbox.directories),
    context,
    contextFor: async (roots) => ({ sandbox: await context.sandbox.within(roots.map(({ uri }) => uri)) }),
    // Loaded after the handshake: building schemas takes longer than everything before it.
    tools: async () => {
      const { readingTools, writingTools } = await import('./tools.ts');
      return options.readOnly ? readingTools : [...readingTools, ...writingTools];
    },
    prompts: async () => (await import('./prompts.ts')).prompts,
    resources: [file, fileOnLocalhost],
  });
}

function instructionsFor([first]: readonly string[]): string {
  return first === undefined
    ? 'Only the directories that the client works in may be touched; list_allowed_directories names them.'
    : `Paths are absolute or relative to the first allowed directory, ${first} unless the client works in one below.`;
}
