import { jsonSchema, toolResult } from '@mcp/protocol';
import type { Facts } from '../text/provenance.ts';
import type { Rendered } from './rendered.ts';

/** What tools give beside their text. Described no closer: a model reads every byte of a list of tools. */
export const factsOutput = jsonSchema({ type: 'object' }, (value) => value as Facts);

const results = new WeakMap<Rendered, ReturnType<typeof resultOf>>();

/** What a tool returns for an answer; the same as long as the answer is. */
export function answerResult(rendered: Rendered) {
  let result = results.get(rendered);
  if (!result) results.set(rendered, (result = resultOf(rendered)));
  return result;
}

function resultOf({ text, facts }: Rendered) {
  return toolResult({ content: text, structuredContent: facts, immutable: true });
}
