import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TemporaryDirectory } from '@mcp/test-kit';
import { descriptorOpener } from '../src/open/descriptor-opener.ts';
import { checkedPathOpener } from '../src/open/checked-path-opener.ts';
import { platformOpener } from '../src/open/platform-opener.ts';
import { Sandbox, type SandboxOptions } from '../src/sandbox.ts';

/** The openers that this system supports; Linux uses the first. */
export const openers = [
  { how: 'by descriptor', opener: descriptorOpener },
  { how: 'by path', opener: checkedPathOpener },
].filter(({ opener }) => opener === checkedPathOpener || platformOpener() === descriptorOpener);

/** A temporary directory with an allowed directory and a sibling that is not allowed. */
export class Workspace extends TemporaryDirectory {
  constructor(files: Record<string, string | Uint8Array> = {}) {
    super('filesystem');
    writeFileSync(join(this.outside, 'secret.txt'), 'SECRET');
    for (const [path, content] of Object.entries(files)) this.put(path, content);
  }

  open(options: Partial<SandboxOptions> = {}): Sandbox {
    return Sandbox.open({ directories: [this.root], ...options });
  }
}

export async function textOf(sandbox: Sandbox, path: string): Promise<string> {
  return (await sandbox.readText(path)).text;
}

/** Returns the message of the error that `work` throws, or 'nothing went wrong'. */
export async function problem(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'nothing went wrong';
}
