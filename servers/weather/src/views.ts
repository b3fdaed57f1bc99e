import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineView, serveViews } from '@mcp/views';

/** The pages of `view/` are bundled beside the program. In the bundle, which is CommonJS, that is here. */
const directory = import.meta.dirname === undefined ? __dirname : join(import.meta.dirname, '../dist');

/** What a host shows with a forecast. It changes with the package only: clients may keep it for an hour. */
export const forecastView = defineView({
  uri: 'ui://weather/forecast',
  title: 'Weather',
  html: pathToFileURL(join(directory, 'forecast.html')),
  prefersBorder: true,
  cache: { ttlMs: 3_600_000, scope: 'public' },
});

export const views = serveViews([forecastView]);
