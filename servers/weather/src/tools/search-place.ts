import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { answerResult, factsOf } from '../text/answer-result.ts';
import { candidateFacts, coordinatesText, placeText } from '@mcp/weather-data';
import type { WeatherContext } from '../context.ts';
import { otherArgumentNames } from '../input/other-names.ts';
import { formatInput } from '../input/shared-arguments.ts';

const maxPlaces = 20;
const attribution = 'Place names by Open-Meteo.com and GeoNames, CC BY 4.0';
const sampleNote = 'SAMPLE: only the places of the sample, whose weather is made up.';

export const searchPlace = defineTool({
  name: 'search_place',
  title: 'Search place',
  description: 'Places with a name, best first.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({
    name: z.string().describe('Optionally with a country or state after a comma'),
    language: z.string().optional().describe('Language of the names; default: en'),
    format: formatInput,
  }),
  outputSchema: factsOf('search'),
  interpret: otherArgumentNames({
    query: 'name',
    place: 'name',
    location: 'name',
    city: 'name',
    lang: 'language',
  }),
  run: async ({ name, language = 'en', format }, call: Call<WeatherContext>) => {
    const found = await call.context.weather.search(name, language, call);
    const shown = found.slice(0, maxPlaces);
    const lines = shown.map((each) => {
      const { feature, population, timezone } = each;
      const details = [feature, timezone, population !== undefined && `population ${population}`].filter(
        Boolean,
      );
      return `- ${placeText(each)}: ${coordinatesText(each)}${details.length > 0 ? ` (${details.join(', ')})` : ''}`;
    });
    const count =
      found.length === 0
        ? `No place found with this name${await call.context.weather.hintFor(name, call)}`
        : `${found.length} place${found.length === 1 ? '' : 's'}`;
    const truncated =
      found.length > maxPlaces
        ? `; showing the first ${maxPlaces}, add a country or state after a comma`
        : '';
    const text = [
      `${count}${truncated}`,
      ...lines,
      '',
      ...(call.context.weather.isSample ? [sampleNote] : []),
      attribution,
    ].join('\n');
    const facts = {
      ...(call.context.weather.isSample && { sample: true }),
      count: found.length,
      places: shown.map(candidateFacts),
      attribution,
    };
    return answerResult({ text, facts }, format);
  },
});
