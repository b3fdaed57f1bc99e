import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@mcp/protocol/testing';
import { expect } from 'vitest';
import type { ServerOptions, Workspace } from './workspace.ts';

/**
 * A client whose server has already read the repository's configuration, and the git commands that were
 * started since.
 */
export interface RecordedGit {
  readonly client: Client;
  /** The first argument of each. */
  readonly started: () => string[];
  readonly clear: () => void;
}

/** Connects with a git on the PATH that records each start, and makes a first call. */
export async function connectRecorded(
  workspace: Workspace,
  options: ServerOptions = {},
): Promise<RecordedGit> {
  const list = join(workspace.base, 'started');
  const started = () => readFileSync(list, 'utf8').split('\n').slice(0, -1);
  const clear = () => writeFileSync(list, '');
  const client = await workspace.connect({
    ...options,
    environment: { PATH: workspace.wrapGit(`echo "$1" >> '${list}'`) },
  });
  await client.callTool('git_status');
  expect(started().at(-1)).toBe('status');
  clear();
  return { client, started, clear };
}
