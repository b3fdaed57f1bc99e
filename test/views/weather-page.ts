import { join } from 'node:path';
import { connect } from '@mcp/protocol/testing';
import { viewsCapability } from '@mcp/views';
// By their paths, because they are no part of the package.
import { weather } from '../../servers/weather/src/server.ts';
import { ManualClock } from '../../servers/weather/test/workspace.ts';
import { type OnCall, type ShowOptions, showTool } from './show-tool.ts';
import type { ShownView, ViewBrowser } from './shown-view.ts';

/** A day on which the sample has rain, and Berlin an alert. */
const noon = Date.UTC(2026, 10, 20, 13, 46);

/** Shows the forecast of the weather server, with its sample. */
export async function showForecast(
  browser: ViewBrowser,
  options: ShowOptions,
  onCall?: OnCall,
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
  return showTool(browser, client, 'forecast', options, onCall);
}
