import { isObject } from '@mcp/kit';
import type { InputRequest } from '../../define/input/input.ts';
import type { ProxyQuestion } from '../../define/proxy/proxy.ts';
import { internalError, methodNotFound, RpcError } from '../../jsonrpc/error.ts';
import { type JsonObject } from '../../jsonrpc/message.ts';
import {
  covers,
  encodeInputRequest,
  refuseUnknownQuestion,
  requiredCapability,
} from '../../revisions/encode-input.ts';
import { latestLegacy } from '../../revisions/table.ts';
import type { Peer } from '../call/active-call.ts';

const answerTimeoutMs = 30 * 60_000;

/** Sends a request of another server to the client of a conversation, and returns the client's result. */
export async function askClient(
  { requests, revision, capabilities }: Peer,
  { method, params, revision: spoken }: ProxyQuestion,
  send: (text: string) => void,
  signal: AbortSignal,
): Promise<JsonObject> {
  if (!requests)
    throw new RpcError(internalError, 'The server cannot send requests to the client over this connection');
  const question = questionOf(method, params);
  if (!covers(capabilities, requiredCapability(question))) {
    throw new RpcError(methodNotFound, `The client does not support "${method}"`);
  }
  // The revision `latestLegacy` has every request that older revisions have. A client with this revision
  // therefore gets the requests of an older server unchanged.
  const asSent = revision === latestLegacy && spoken <= revision.version;
  if (!asSent) refuseUnknownQuestion(revision, question);
  const encoded = asSent ? { method, params } : encodeInputRequest(revision, question, capabilities);
  try {
    return await requests.ask(encoded.method, encoded.params, { send, signal, timeoutMs: answerTimeoutMs });
  } catch (error) {
    // The other server gets the code and message of the client's error.
    if (error instanceof Error && error.cause instanceof RpcError) throw error.cause;
    throw error;
  }
}

function questionOf(method: string, params: JsonObject | undefined): InputRequest {
  const question = { method, params: params ?? {} };
  if (isQuestion(question)) return question;
  throw new RpcError(methodNotFound, `"${method}" is not a request to a client, or its params are invalid`);
}

function isQuestion(question: {
  method: string;
  params: JsonObject;
}): question is InputRequest & typeof question {
  const { method, params } = question;
  if (method === 'roots/list') return true;
  if (method === 'sampling/createMessage') return Array.isArray(params['messages']);
  return (
    method === 'elicitation/create' &&
    (typeof params['url'] === 'string' || isObject(params['requestedSchema']))
  );
}
