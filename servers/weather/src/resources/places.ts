import { defineResource } from '@mcp/protocol';
import type { Ask } from '../backend/cache/upstream-document.ts';
import { coordinatesText } from '../backend/places/coordinates.ts';
import type { Weather } from '../context.ts';

/** The places that were saved. */
export const places = defineResource({
  uri: 'weather://places',
  name: 'places',
  title: 'Saved places',
  description: 'The saved places, with their coordinates.',
  mimeType: 'application/json',
  read: (_, { forecasts }: Weather) => JSON.stringify(placesFacts({ forecasts }), null, 2),
  watch: (_, changed, { forecasts }: Weather) => {
    const look = ({ used }: Ask) => {
      used?.(forecasts.saved.file);
      return Promise.resolve(JSON.stringify(placesFacts({ forecasts })['places']));
    };
    return forecasts.live.watchFiles(look, changed);
  },
});

function placesFacts({ forecasts }: Weather): { [name: string]: unknown } {
  const { all, problem } = forecasts.saved;
  return {
    places: all.map(({ saved, ...place }) => ({ saved, place: coordinatesText(place), ...place })),
    ...(problem !== undefined && { problem }),
  };
}
