import type { Client } from '@mcp/protocol/testing';
import type { ShownOptions, ShownView, ViewBrowser } from './shown-view.ts';

/** Sees the calls of a view; what it returns replaces the result. */
export type OnCall = (name: string, args: object) => object | undefined | Promise<object | undefined>;

export type ShowOptions = Pick<ShownOptions, 'width' | 'theme' | 'context' | 'prelude'> & {
  readonly input: { readonly [name: string]: unknown };
};

/**
 * Calls a tool and shows its view, as a host does: the tool says which view, and the page is read from the
 * server, which `client` is connected to. Disposing of the view closes the client.
 */
export async function showTool(
  browser: ViewBrowser,
  client: Client,
  name: string,
  { context, ...options }: ShowOptions,
  onCall: OnCall = () => undefined,
): Promise<ShownView & AsyncDisposable> {
  const tool = (await client.listTools()).find((each) => each.name === name)!;
  const { resourceUri } = tool._meta!['ui'] as { resourceUri: string };
  const { contents } = await client.readResource(resourceUri);
  const { text: html } = contents[0] as { text: string };
  const result = await client.callTool(name, options.input);
  const callTool = async (called: string, args: object) =>
    (await onCall(called, args)) ?? client.callTool(called, { ...args });
  const shown = await browser.show({
    ...options,
    context: { toolInfo: { tool }, ...context },
    html,
    result,
    callTool,
  });
  return {
    ...shown,
    async [Symbol.asyncDispose]() {
      await shown.page.close();
      await client.close();
    },
  };
}
