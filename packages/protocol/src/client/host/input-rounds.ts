import { isObject } from '@mcp/kit';
import { type JsonObject } from '../../jsonrpc/message.ts';
import { InvalidResult } from '../results/check-result.ts';

/** Answers one request of the server. */
export type AnswerInput = (method: string, params: JsonObject | undefined) => Promise<JsonObject>;

const maxRounds = 20;
/** The maximum number of requests in one result. */
const maxInputs = 100;

/**
 * Sends a request again with the inputs that its `first` result requires, until a result requires no inputs.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export async function untilComplete(
  method: string,
  params: JsonObject,
  first: JsonObject,
  send: (params: JsonObject) => Promise<JsonObject>,
  answer: AnswerInput,
): Promise<JsonObject> {
  let result = first;
  for (let round = 0; result['resultType'] === 'input_required'; round++) {
    if (round === maxRounds)
      throw new InvalidResult(
        method,
        `the server asks for input more than ${maxRounds} times in one request`,
      );
    const { requestState } = result;
    if (requestState !== undefined && typeof requestState !== 'string') {
      throw new InvalidResult(method, '"requestState" must be a string');
    }
    const inputResponses = await answerAll(method, result['inputRequests'], answer);
    result = await send({
      ...params,
      ...(inputResponses && { inputResponses }),
      ...(requestState !== undefined && { requestState }),
    });
  }
  return result;
}

/** Answers all requests of a result; the answers have the keys of the requests. */
export async function answerAll(
  method: string,
  requests: unknown,
  answer: AnswerInput,
): Promise<JsonObject | undefined> {
  if (requests === undefined) return undefined;
  if (!isObject(requests)) throw new InvalidResult(method, '"inputRequests" must be an object');
  const entries = Object.entries(requests);
  if (entries.length > maxInputs) throw new InvalidResult(method, `more than ${maxInputs} "inputRequests"`);
  const answers = entries.map(async ([key, request]) => {
    const params = isObject(request) ? (request['params'] ?? {}) : undefined;
    if (!isObject(request) || typeof request['method'] !== 'string' || !isObject(params)) {
      throw new InvalidResult(method, `"inputRequests.${key}" must have a "method" and "params"`);
    }
    return [key, await answer(request['method'], params)] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}
