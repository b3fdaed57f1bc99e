import { defineServer, defineTool, type Server } from '@mcp/protocol';
import { defineView, serveViews, visibleTo } from '../src/index.ts';

export const html = '<!doctype html>\n<title>Clock</title>\n';

export const dial = defineView({
  uri: 'ui://clock/dial',
  title: 'Dial',
  html,
  csp: { connectDomains: ['https://time.example'], resourceDomains: ['https://*.time.example:8443'] },
  permissions: ['clipboardWrite'],
  prefersBorder: true,
  domain: 'clock.hosts.example',
});

const time = { name: 'time', description: 'Says the time.', run: () => 'noon' };
const wind = { name: 'wind', description: 'Winds the clock.', run: () => 'wound' };
const alarm = { name: 'alarm', description: 'Sets the alarm.', run: () => 'set' };
const plain = defineTool({ name: 'plain', description: 'Does nothing.', run: () => 'done' });

/** A server with a view, and tools of each visibility. */
export const clock = (): Server =>
  defineServer({
    name: 'clock',
    version: '1.0.0',
    tools: [
      defineTool({ ...time, view: dial }),
      defineTool({ ...wind, view: visibleTo(['app'], dial) }),
      defineTool({ ...alarm, view: visibleTo(['model']) }),
      plain,
    ],
    extensions: [serveViews([dial])],
  });

/** The same server as its author would write it without views. */
export const clockWithoutViews = (): Server =>
  defineServer({
    name: 'clock',
    version: '1.0.0',
    tools: [defineTool(time), defineTool(alarm), plain],
  });
