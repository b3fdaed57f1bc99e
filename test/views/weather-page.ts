import { join } from 'node:path';
import { connect } from '@mcp/protocol/testing';
import { viewsCapability } from '@mcp/views';
// By their paths, because they are no part of the package.
import { weather } from '../../servers/weather/src/server.ts';
import { ManualClock } from '../../servers/weather/test/workspace.ts';
import type { ShownOptions, ShownView, ViewBrowser } from './shown-view.ts';

/** A day on which the sample has rain, and Berlin an alert. */
const noon = Date.UTC(2026, 10, 20, 13, 46);

type Options = Pick<ShownOptions, 'width' | 'theme' | 'context' | 'prelude'> & {
  readonly input: { readonly place: unknown; readonly [name: string]: unknown };
};

/**
 * Shows the forecast of the weather server, with its sample, as a host does: its tool says which view, and
 * the page is read from the server. `call` sees the calls of the view; what it returns replaces the result.
 */
export async function showForecast(
  browser: ViewBrowser,
  options: Options,
  call: (name: string, args: object) => object | undefined | Promise<object | undefined> = () => undefined,
): Promise<ShownView & AsyncDisposable> {
  const directory = join(import.meta.dirname, 'no-such-directory');
  const clock = new ManualClock();
  clock.time = noon;
  const server = weather({
    provider: 'open-meteo',
    demo: true,
    clock,
    userAgent: 'test',
    directories: { data: directory, cache: directory },
  });
  const client = await connect(server, { extensions: viewsCapability });
  const tool = (await client.listTools()).find(({ name }) => name === 'forecast');
  const { resourceUri } = tool!._meta!['ui'] as { resourceUri: string };
  const { contents } = await client.readResource(resourceUri);
  const { text: html } = contents[0] as { text: string };
  const result = await client.callTool('forecast', options.input);
  const callTool = async (name: string, args: object) =>
    (await call(name, args)) ?? client.callTool(name, { ...args });
  const shown = await browser.show({ ...options, html, result, callTool });
  return {
    ...shown,
    async [Symbol.asyncDispose]() {
      await shown.page.close();
      await client.close();
    },
  };
}
