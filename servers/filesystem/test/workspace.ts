import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, type ClientOptions, connect } from '@mcp/protocol/testing';
import { TemporaryDirectory } from '@mcp/test-kit';
import { descriptorOpener } from '../src/backend/access/descriptor-opener.ts';
import { checkedPathOpener } from '../src/backend/access/checked-path-opener.ts';
import { platformOpener } from '../src/backend/access/platform-opener.ts';
import { Sandbox, type SandboxOptions } from '../src/backend/sandbox.ts';
import { filesystem } from '../src/server.ts';

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

  /** Connects a client to a server of this workspace. */
  async connect(options: ClientOptions & { readOnly?: boolean } = {}): Promise<Client> {
    const { readOnly } = options;
    return connect(filesystem({ directories: [this.root], readOnly }), options);
  }

  /** Calls a tool and returns its texts without the path of the temporary directory. */
  async say(client: Client, tool: string, args: Record<string, unknown> = {}): Promise<string[]> {
    const { content, isError } = await client.callTool(tool, args);
    const texts = content.map((block) => (block.type === 'text' ? block.text : block.type));
    return [...(isError ? ['ERROR'] : []), ...texts.map((text) => text.replaceAll(this.base, ''))];
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

/** Returns the paths of the descriptors that this process holds open at or below a path. */
export function heldOpen(path: string): string[] {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return targets.filter((target) => target.startsWith(path));
}
