import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import { factsOutput } from '../answers/answer-output.ts';
import { placeText } from '../backend/places/place.ts';
import { checkedName } from '../backend/places/saved-places.ts';
import type { Weather } from '../context.ts';
import { telling } from '../input/as-tool-errors.ts';
import { placeInput, withPlace } from '../input/place-argument.ts';

export const savePlace = defineTool({
  name: 'save_place',
  title: 'Save place',
  description: 'Saves a place under a name of your own, in place of the one that had it.',
  annotations: { idempotentHint: true, openWorldHint: false },
  inputSchema: z.object({ name: z.string(), place: placeInput }),
  outputSchema: factsOutput,
  run: ({ name, place }, weather: Weather, call) =>
    telling(async () => {
      const saved = checkedName(name);
      return withPlace(place, weather, call, async (found) => {
        const before = await weather.forecasts.saved.save(saved, found);
        const was = before === undefined ? '' : `; before, "${before.saved}" was ${placeText(before)}`;
        const { latitude, longitude } = found;
        return toolResult({
          content: `"${saved}" is ${placeText(found)} now${was}`,
          structuredContent: {
            name: saved,
            place: { ...(found.name !== undefined && { name: found.name }), latitude, longitude },
            ...(before && {
              before: { name: before.saved, latitude: before.latitude, longitude: before.longitude },
            }),
          },
        });
      });
    }),
});

export const removePlace = defineTool({
  name: 'remove_place',
  title: 'Remove place',
  description: 'Forgets a saved place.',
  annotations: { openWorldHint: false },
  inputSchema: z.object({ name: z.string() }),
  outputSchema: factsOutput,
  run: ({ name }, { forecasts }: Weather) =>
    telling(async () => {
      const { saved, latitude, longitude, ...place } = await forecasts.saved.remove(name);
      return toolResult({
        content: `Forgot "${saved}", which was ${placeText({ ...place, latitude, longitude })}`,
        structuredContent: { removed: saved, latitude, longitude },
      });
    }),
});
