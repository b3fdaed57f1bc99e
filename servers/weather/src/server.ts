import { defineServer } from '@mcp/protocol';
import manifest from '../package.json' with { type: 'json' };
import { Forecasts, type ForecastsOptions } from './backend/forecasts.ts';
import type { Weather } from './context.ts';
import { resources } from './resources.ts';

/** Everything a host can see of the weather. */
export function weather(options: ForecastsOptions) {
  const context: Weather = { forecasts: new Forecasts(options) };
  return defineServer({
    name: manifest.name,
    version: manifest.version,
    title: 'Weather',
    instructions: instructionsFor(context.forecasts.providerName),
    context,
    // Loaded after the handshake: building schemas takes longer than everything before it.
    tools: async () => (await import('./tools.ts')).tools,
    prompts: async () => (await import('./prompts.ts')).prompts,
    resources,
  });
}

function instructionsFor(provider: string): string {
  const places =
    'A place is a pair of coordinates in degrees ("52.52,13.41"), a saved place, or a name, with its country or state behind a comma where others have it too.';
  const honest =
    'Null and "no data" mean that nothing is known, and not zero. Pass on the attribution of an answer.';
  if (provider === 'sample')
    return `SAMPLE DATA ONLY: every answer is made up, and not real weather. ${places} ${honest}`;
  return `${places} ${honest}`;
}
