import type { Client } from '@mcp/protocol/testing';
// By its path, because it is no part of the package.
import { type ServerOptions, Workspace } from '../../servers/sqlite/test/workspace.ts';
import { type OnCall, type ShowOptions, showTool } from './show-tool.ts';
import type { ShownView, ViewBrowser } from './shown-view.ts';

type Options = ShowOptions & {
  readonly tool?: 'query' | 'write' | 'describe_table';
  readonly server?: Parameters<Workspace['connect']>[0] & ServerOptions;
  readonly onCall?: OnCall;
};

/** Shows a result of the sqlite server, on the database of a workspace. */
export async function showDatabase(
  browser: ViewBrowser,
  workspace: Workspace,
  { tool = 'query', server, onCall, ...options }: Options,
): Promise<ShownView & AsyncDisposable & { readonly client: Client }> {
  const client = await workspace.connect({ ...server, shows: true });
  const shown = await showTool(browser, client, tool, options, onCall);
  return { ...shown, client };
}

export { Workspace };
