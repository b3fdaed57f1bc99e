import { jsonSchema, toolResult } from '@mcp/protocol';
import type { Facts } from './provenance.ts';
import type { Rendered } from './rendered.ts';

/** What tools give beside their text. Described no closer: a model reads every byte of a list of tools. */
export const factsOutput = jsonSchema({ type: 'object' }, (value) => value as Facts);

export function answerResult({ text, facts }: Rendered) {
  return toolResult({ content: text, structured: facts });
}
