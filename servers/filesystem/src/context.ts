import { type AllowedDirectory, Sandbox, type SandboxOptions } from '@mcp/sandbox';

/** The context that every handler gets: the sandbox of the allowed directories. */
export type Filesystem = { readonly sandbox: Sandbox };

export function openContext(directories: readonly AllowedDirectory[], options: SandboxOptions): Filesystem {
  return { sandbox: new Sandbox(directories, options) };
}
