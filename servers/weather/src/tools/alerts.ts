import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { alertsAnswer } from '../answers/alerts.ts';
import { answerResult, factsOutput } from '../answers/answer-output.ts';
import { telling } from '../input/as-tool-errors.ts';
import { type AskingCall, placeInput, withPlace } from '../input/place-argument.ts';

const cursor = z.int().min(0).optional();

export const alerts = defineTool({
  name: 'alerts',
  title: 'Official alerts',
  description: 'Official warnings in force at a place in the United States, most severe first.',
  hints: { readOnly: true },
  input: z.object({ place: placeInput, cursor }),
  output: factsOutput,
  run: ({ place, cursor: from }, call: AskingCall) =>
    telling(() =>
      withPlace(place, call, async (found) =>
        answerResult(await alertsAnswer(call, { place: found }, call, from)),
      ),
    ),
});

/** The name and parameter of the quickstart's tool, which prompts and allow-lists have. */
export const getAlerts = defineTool({
  name: 'get_alerts',
  title: 'Alerts of a state',
  description: 'Official warnings in force in a state of the United States.',
  hints: { readOnly: true },
  input: z.object({ state: z.string().describe('Two letters: CA'), cursor }),
  output: factsOutput,
  run: ({ state, cursor: from }, call: AskingCall) =>
    telling(async () => answerResult(await alertsAnswer(call, { state }, call, from))),
});
