import { type AllowedDirectory, Sandbox, type SandboxOptions } from '@mcp/sandbox';
import { Documents } from './optional/documents.ts';
import type { OptionalPackages } from './optional/installed-packages.ts';
import { Outlines } from './optional/outlines.ts';

/** The sandbox of the allowed directories, and what optional packages add. */
export type Filesystem = {
  readonly sandbox: Sandbox;
  /** Whether every text that is read has line numbers. */
  readonly numbered: boolean;
  readonly outlines?: Outlines | undefined;
  readonly documents?: Documents | undefined;
};

export function openContext(
  directories: readonly AllowedDirectory[],
  options: SandboxOptions,
  { outline, documents }: OptionalPackages,
  numbered: boolean,
): Filesystem {
  return {
    sandbox: new Sandbox(directories, options),
    numbered,
    outlines: outline && new Outlines(outline),
    documents: documents && new Documents(documents),
  };
}
