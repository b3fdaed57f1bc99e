import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import { factsOutput } from '../answers/answer-output.ts';
import { placeText } from '../backend/places/place.ts';
import { checkedName } from '../backend/places/saved-places.ts';
import type { Weather } from '../context.ts';
import { telling } from '../input/as-tool-errors.ts';
import { type AskingCall, placeInput, withPlace } from '../input/place-argument.ts';

export const savePlace = defineTool({
  name: 'save_place',
  title: 'Save place',
  description: 'Saves a place under a name of your own, in place of the one that had it.',
  hints: { idempotent: true, openWorld: false },
  input: z.object({ name: z.string(), place: placeInput }),
  output: factsOutput,
  run: ({ name, place }, call: AskingCall) =>
    telling(async () => {
      const saved = checkedName(name);
      return withPlace(place, call, async (found) => {
        const before = await call.forecasts.saved.save(saved, found);
        const was = before === undefined ? '' : `; before, "${before.saved}" was ${placeText(before)}`;
        const { latitude, longitude } = found;
        return toolResult({
          content: `"${saved}" is ${placeText(found)} now${was}`,
          structured: {
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
  hints: { openWorld: false },
  input: z.object({ name: z.string() }),
  output: factsOutput,
  run: ({ name }, { forecasts }: Weather) =>
    telling(async () => {
      const { saved, latitude, longitude, ...place } = await forecasts.saved.remove(name);
      return toolResult({
        content: `Forgot "${saved}", which was ${placeText({ ...place, latitude, longitude })}`,
        structured: { removed: saved, latitude, longitude },
      });
    }),
});
