import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import { candidateFacts } from '../text/ambiguous.ts';
import { factsOutput } from '../answers/answer-output.ts';
import { coordinatesText } from '../backend/places/coordinates.ts';
import { placeText } from '../backend/places/place.ts';
import type { Weather } from '../context.ts';
import { telling } from '../input/as-tool-errors.ts';

const most = 20;
const attribution = 'Place names by Open-Meteo.com and GeoNames, CC BY 4.0';

export const searchPlace = defineTool({
  name: 'search_place',
  title: 'Search place',
  description: 'The places that a name may mean, best first.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({
    name: z.string().describe('With a country or state behind a comma, if you like'),
    language: z.string().optional().describe('Of the answer: en'),
  }),
  outputSchema: factsOutput,
  run: ({ name, language = 'en' }, { forecasts }: Weather, call) =>
    telling(async () => {
      const found = await forecasts.search(name, language, call);
      const shown = found.slice(0, most);
      const lines = shown.map((each) => {
        const { feature, population, timezone } = each;
        const about = [feature, timezone, population !== undefined && `population ${population}`].filter(
          Boolean,
        );
        return `- ${placeText(each)}: ${coordinatesText(each)}${about.length > 0 ? ` (${about.join(', ')})` : ''}`;
      });
      const count =
        found.length === 0
          ? 'No place has this name'
          : `${found.length} place${found.length === 1 ? '' : 's'}`;
      const cut =
        found.length > most ? `, the first ${most} are shown; name a country or state behind a comma` : '';
      return toolResult({
        content: [`${count}${cut}`, ...lines, '', attribution].join('\n'),
        structuredContent: { count: found.length, places: shown.map(candidateFacts), attribution },
      });
    }),
});
