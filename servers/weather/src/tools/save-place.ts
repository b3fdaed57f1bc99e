import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { coordinatesText, parseSavedName, type Place, placeText } from '@mcp/weather-data';
import type { WeatherContext } from '../context.ts';
import { otherPlaceNames } from '../input/other-names.ts';
import { findOrAsk, placeInput } from '../input/place-argument.ts';

export const savePlace = defineTool({
  name: 'save_place',
  title: 'Save place',
  description: 'Saves a place under a name of your choice, replacing the one with that name.',
  annotations: { idempotentHint: true, openWorldHint: false },
  inputSchema: z.object({ name: z.string(), place: placeInput }),
  interpret: otherPlaceNames(),
  run: async ({ name, place }, call: Call<WeatherContext>) => {
    const saved = parseSavedName(name);
    const found = await findOrAsk(place, call);
    const before = await call.context.weather.saved.save(saved, found);
    const replaced = before === undefined ? '' : `; it replaces "${before.saved}", ${placeText(before)}`;
    const undo = before ? savingAgain(before) : `remove_place with the name ${JSON.stringify(saved)}`;
    return `Saved "${saved}": ${placeText(found)}${replaced}\nUndo: ${undo}`;
  },
});

export const removePlace = defineTool({
  name: 'remove_place',
  title: 'Remove place',
  description: 'Removes a saved place.',
  annotations: { openWorldHint: false },
  inputSchema: z.object({ name: z.string() }),
  run: async ({ name }, { context: { weather } }: Call<WeatherContext>) => {
    const removed = await weather.saved.remove(name);
    const { saved, ...place } = removed;
    return `Removed "${saved}": ${placeText(place)}\nUndo: ${savingAgain(removed)}`;
  },
});

/** A call, in words, that saves a place again as it was saved before. */
function savingAgain(place: Place & { readonly saved: string }): string {
  return `save_place with the name ${JSON.stringify(place.saved)} and the place "${coordinatesText(place)}"`;
}
