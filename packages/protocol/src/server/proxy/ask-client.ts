import type { InputRequest } from '../../define/input.ts';
import type { ProxyQuestion } from '../../define/proxy.ts';
import { internalError, methodNotFound, RpcError } from '../../jsonrpc/error.ts';
import { isObject, type JsonObject } from '../../jsonrpc/message.ts';
import {
  covers,
  encodeInputRequest,
  refuseUnknownQuestion,
  requiredCapability,
} from '../../revisions/encode-input.ts';
import { latestLegacy } from '../../revisions/table.ts';
import type { Caller } from '../call/active-call.ts';

const answerTimeoutMs = 30 * 60_000;

/** Passes a request of another server on to the client of a conversation, and returns its result. */
export async function askClient(
  { requests, revision, capabilities }: Caller,
  { method, params, protocolVersion }: ProxyQuestion,
  send: (text: string) => void,
  signal: AbortSignal,
): Promise<JsonObject> {
  if (!requests) throw new RpcError(internalError, 'The client cannot be asked on this connection');
  const question = questionOf(method, params);
  if (!covers(capabilities, requiredCapability(question))) {
    throw new RpcError(methodNotFound, `The client does not answer "${method}"`);
  }
  // The newest revision with a handshake takes what any older one sends.
  const asSent = revision === latestLegacy && protocolVersion <= revision.version;
  if (!asSent) refuseUnknownQuestion(revision, question);
  const encoded = asSent ? { method, params } : encodeInputRequest(revision, question, capabilities);
  try {
    return await requests.ask(encoded.method, encoded.params, { send, signal, timeoutMs: answerTimeoutMs });
  } catch (error) {
    // The client's own code and message.
    if (error instanceof Error && error.cause instanceof RpcError) throw error.cause;
    throw error;
  }
}

function questionOf(method: string, params: JsonObject | undefined): InputRequest {
  const question = { method, params: params ?? {} };
  if (isQuestion(question)) return question;
  throw new RpcError(methodNotFound, `The client does not answer "${method}"`);
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
