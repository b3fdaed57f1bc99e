import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { alertsAnswer } from '../answers/alerts.ts';
import { answerResult, factsOutput } from '../answers/answer-output.ts';
import { telling } from '../input/as-tool-errors.ts';
import type { Weather } from '../context.ts';
import { placeInput, withPlace } from '../input/place-argument.ts';

const cursor = z.int().min(0).optional();

export const alerts = defineTool({
  name: 'alerts',
  title: 'Official alerts',
  description: 'Official warnings in force at a place in the United States, most severe first.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({ place: placeInput, cursor }),
  outputSchema: factsOutput,
  run: ({ place, cursor: from }, weather: Weather, call) =>
    telling(() =>
      withPlace(place, weather, call, async (found) =>
        answerResult(await alertsAnswer(weather, { place: found }, call, from)),
      ),
    ),
});

/** The name and parameter of the quickstart's tool, which prompts and allow-lists have. */
export const getAlerts = defineTool({
  name: 'get_alerts',
  title: 'Alerts of a state',
  description: 'Official warnings in force in a state of the United States.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({ state: z.string().describe('Two letters: CA'), cursor }),
  outputSchema: factsOutput,
  run: ({ state, cursor: from }, weather: Weather, call) =>
    telling(async () => answerResult(await alertsAnswer(weather, { state }, call, from))),
});
