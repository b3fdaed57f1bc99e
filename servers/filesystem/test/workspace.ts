import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, type ClientOptions, connect } from '@mcp/protocol/testing';
import { Sandbox, type SandboxOptions } from '@mcp/sandbox';
import { TemporaryDirectory } from '@mcp/test-kit';
import type { OptionalPackages } from '../src/optional/installed-packages.ts';
import { filesystem, type FilesystemOptions } from '../src/server.ts';

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
  async connect(
    options: ClientOptions & Partial<FilesystemOptions> & { optional?: OptionalPackages } = {},
  ): Promise<Client> {
    const { readOnly, keep, structured, numbered, optional } = options;
    const directories = [this.root];
    return connect(filesystem({ directories, readOnly, keep, structured, numbered }, optional), options);
  }

  /** Calls a tool and returns its texts without the path of the temporary directory. */
  async say(client: Client, tool: string, args: Record<string, unknown> = {}): Promise<string[]> {
    const { content, isError } = await client.callTool(tool, args);
    const texts = content.map((block) => (block.type === 'text' ? block.text : block.type));
    return [...(isError ? ['ERROR'] : []), ...texts.map((text) => text.replaceAll(this.base, ''))];
  }
}
