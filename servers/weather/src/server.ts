import { defineServer } from '@mcp/protocol';
import manifest from '../package.json' with { type: 'json' };
import type { ForecastsOptions } from './backend/weather-service.ts';
import type { Weather } from './context.ts';
import { resources } from './resources.ts';

/** Everything a host can see of the weather. */
export function weather(options: ForecastsOptions) {
  let opened: Promise<Weather> | undefined;
  const open = async (): Promise<Weather> => {
    const { Forecasts } = await import('./backend/weather-service.ts');
    return { forecasts: new Forecasts(options) };
  };
  return defineServer({
    name: manifest.name,
    version: manifest.version,
    title: 'Weather',
    instructions: instructionsFor(options),
    // All that is imported is loaded after the handshake: it takes longer than everything before.
    context: () => (opened ??= open()),
    tools: async () => (await import('./tools.ts')).tools,
    prompts: async () => (await import('./prompts.ts')).prompts,
    resources,
  });
}

function instructionsFor({ demo }: ForecastsOptions): string {
  return [
    ...(demo ? ['SAMPLE DATA ONLY: every answer is made up, and not real weather.'] : []),
    'A place is a pair of coordinates in degrees ("52.52,13.41"), a saved place, or a name, with its country or state behind a comma where others have it too.',
    'Null and "no data" mean that nothing is known, and not zero. Pass on the attribution of an answer.',
  ].join(' ');
}
