import { defineServer } from '@mcp/protocol';
import manifest from '../package.json' with { type: 'json' };
import type { WeatherServiceOptions } from '@mcp/weather-data';
import type { WeatherContext } from './context.ts';
import { protocolErrors } from './input/protocol-errors.ts';
import { resources } from './resources.ts';
import { skills } from './skills.ts';
import { views } from './views.ts';

/** `structured` tells whether each answer also has structured content; defaults to false. */
export type WeatherOptions = WeatherServiceOptions & { readonly structured?: boolean };

export function weather({ structured = false, ...options }: WeatherOptions) {
  let opened: Promise<WeatherContext> | undefined;
  const open = async () => (await import('./context.ts')).openContext(options);
  return defineServer({
    name: manifest.name,
    version: manifest.version,
    title: 'Weather',
    instructions: instructionsFor(options),
    // Context, tools and prompts are imported after the handshake, because loading them takes long. The
    // resources are imported before, because the handshake needs them for the capabilities. A test that calls
    // `context` gets the same context as the server.
    context: () => (opened ??= open()),
    tools: async () => (await import('./tools.ts')).toolsOf(structured),
    prompts: async () => (await import('./prompts.ts')).prompts,
    resources,
    extensions: [skills, views],
    wrap: [protocolErrors],
  });
}

function instructionsFor({ demo }: WeatherServiceOptions): string {
  return [
    ...(demo ? ['SAMPLE DATA ONLY: every answer is made up and not real weather.'] : []),
    'A place is a pair of coordinates in degrees ("52.52,13.41"), a saved place, or a name, followed by a comma and its country or state if the name is ambiguous.',
    'current, forecast and air_quality take a list of places in one call; forecast with hours and measures returns a small table of hours ("T08" is 8 o\'clock of each day).',
    'Null and "no data" mean unknown, not zero. Repeat the attribution of an answer.',
  ].join(' ');
}
