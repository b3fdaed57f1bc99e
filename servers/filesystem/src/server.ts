import { defineServer, readInClientRoots, runInClientRoots } from '@mcp/protocol';
import manifest from '../package.json' with { type: 'json' };
import { allow, KeepDirectory, type KeepOptions, type SandboxOptions } from '@mcp/sandbox';
import type { Filesystem } from './context.ts';
import { clientRoots } from './input/client-roots.ts';
import type { OptionalPackages } from './optional/installed-packages.ts';
import { file, fileOnLocalhost } from './resources/file.ts';
import { skills } from './skills.ts';
import { instructionsFor } from './text/instructions.ts';
import { views } from './views.ts';

const resources = [file, fileOnLocalhost];

export interface FilesystemOptions extends Omit<SandboxOptions, 'keep'> {
  /**
   * Where copies of deleted, replaced and overwritten files are kept, for restore_file. Default: no copies.
   */
  readonly keep?: KeepOptions | undefined;
  /** Whether tools that list or measure also answer with structured content. Default: false. */
  readonly structured?: boolean | undefined;
  /** Whether all reads of text number the lines. Default: false: only reads of a range of lines do. */
  readonly numbered?: boolean | undefined;
}

export function filesystem(options: FilesystemOptions, optional: OptionalPackages = {}) {
  // Opened here, so that directories that cannot be opened are reported before the handshake.
  const directories = allow(options);
  const { readOnly = false, structured = false, numbered = false } = options;
  const keep =
    options.keep &&
    KeepDirectory.open(
      { ...options.keep, advice: 'keep: false makes the change without a copy for restore_file' },
      directories,
    );
  return defineServer({
    name: manifest.name,
    version: manifest.version,
    title: 'Filesystem',
    instructions: instructionsFor(
      directories.map(({ name: each }) => each),
      { keeps: keep !== undefined, readOnly, numbered },
    ),
    // Loaded after the handshake, because this takes longer than everything before the handshake.
    context: async (): Promise<Filesystem> =>
      (await import('./context.ts')).openContext(directories, { ...options, keep }, optional, numbered),
    contextFor: async (roots, { sandbox, ...rest }) => ({
      ...rest,
      sandbox: await sandbox.within(roots.map(({ uri }) => uri)),
    }),
    tools: async () => {
      const { readingTools, writingTools } = await import('./tools.ts');
      const reading = readingTools(optional, { structured, numbered });
      const tools = readOnly ? reading : [...reading, ...writingTools(keep !== undefined)];
      return directories.length > 0 ? tools : runInClientRoots(tools, clientRoots);
    },
    prompts: async () => {
      const { prompts } = await import('./prompts.ts');
      return directories.length > 0 ? prompts : runInClientRoots(prompts, clientRoots);
    },
    // The skill changes files.
    extensions: readOnly ? [views] : [skills, views],
    resources: directories.length > 0 ? resources : readInClientRoots(resources, clientRoots),
  });
}
