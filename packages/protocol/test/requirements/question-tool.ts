import { defineTool, inputRequired } from '@mcp/protocol';
import type { InputRequest, Inputs } from '../../src/define/input/input.ts';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { stateless, type Wire } from './wire.ts';

/** A tool that sends `request` under the key "it", and returns the result of `then` for the answer. */
export function questionTool(
  request: InputRequest | (() => InputRequest),
  then: (inputs: Inputs) => string | Promise<string> = ({ it }) => JSON.stringify(it),
) {
  return defineTool({
    name: 'ask',
    description: 'Asks the client.',
    run: (_, { inputs }) =>
      inputs['it']
        ? then(inputs)
        : inputRequired({ it: typeof request === 'function' ? request() : request }),
  });
}

/** The question of the tool "ask", in the form of the revision, and a function to answer it. */
export async function questionOf(wire: Wire): Promise<{
  question: JsonObject;
  answer: (response: JsonObject) => Promise<JsonObject>;
}> {
  const params = { name: 'ask', arguments: {} };
  if (wire.version === stateless) {
    const { inputRequests } = await wire.result('tools/call', params);
    return {
      question: (inputRequests as { it: JsonObject }).it,
      answer: (it) => wire.result('tools/call', { ...params, inputResponses: { it } }),
    };
  }
  const id = wire.send('tools/call', params);
  const { jsonrpc: _, id: asked, ...question } = await wire.nextFromServer();
  return {
    question,
    answer: async (result) => {
      wire.raw.send({ jsonrpc: '2.0', id: asked, result });
      return (await wire.response(id))['result'] as JsonObject;
    },
  };
}
