import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import { factsOutput } from '../answers/answer.ts';
import { placeText } from '../backend/places/place.ts';
import { parseSavedName } from '../backend/places/saved-places.ts';
import type { WeatherContext } from '../context.ts';
import { withToolErrors } from '../input/as-tool-errors.ts';
import { placeInput, withPlace } from '../input/place-argument.ts';

export const savePlace = defineTool({
  name: 'save_place',
  title: 'Save place',
  description: 'Saves a place under a name of your choice, replacing the one with that name.',
  annotations: { idempotentHint: true, openWorldHint: false },
  inputSchema: z.object({ name: z.string(), place: placeInput }),
  outputSchema: factsOutput,
  run: ({ name, place }, { weather }: WeatherContext, call) =>
    withToolErrors(async () => {
      const saved = parseSavedName(name);
      return withPlace(place, weather, call, async (found) => {
        const before = await weather.saved.save(saved, found);
        const replaced = before === undefined ? '' : `; it replaces "${before.saved}", ${placeText(before)}`;
        const { latitude, longitude } = found;
        return toolResult({
          content: `Saved "${saved}": ${placeText(found)}${replaced}`,
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
  description: 'Removes a saved place.',
  annotations: { openWorldHint: false },
  inputSchema: z.object({ name: z.string() }),
  outputSchema: factsOutput,
  run: ({ name }, { weather }: WeatherContext) =>
    withToolErrors(async () => {
      const { saved, latitude, longitude, ...place } = await weather.saved.remove(name);
      return toolResult({
        content: `Removed "${saved}": ${placeText({ ...place, latitude, longitude })}\nUndo: save_place with the name "${saved}" and the place "${latitude},${longitude}"`,
        structuredContent: { removed: saved, latitude, longitude },
      });
    }),
});
