import { type InputRequest, supportsForms } from '../define/input/input.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import { encodeForm } from './encode-form.ts';
import { encodeSampling } from './encode-sampling.ts';
import type { Revision } from './revision.ts';

/** A client's capabilities, without capabilities that this revision does not define. */
export function clientCapabilitiesIn(revision: Revision, declared: JsonObject): JsonObject {
  if (revision.elicitation === 'full' || declared['elicitation'] === undefined) return declared;
  const { elicitation: _, ...others } = declared;
  return revision.elicitation === 'simple' ? { ...others, elicitation: {} } : others;
}

/** Throws an `Error` if the revision does not have this kind of input request. */
export function refuseUnknownQuestion(
  { version, clientRequests, elicitation }: Revision,
  request: InputRequest,
): void {
  const { method, params } = request;
  if (!clientRequests.has(method)) throw new Error(`${method} is not part of protocol version ${version}`);
  if (elicitation !== 'full' && params && 'url' in params)
    throw new Error(`Elicitation by URL is not part of protocol version ${version}`);
}

/** An input request in the form of a revision, for a client with these capabilities. */
export function encodeInputRequest(
  revision: Revision,
  request: InputRequest,
  declared: JsonObject,
): { readonly method: string; readonly params?: JsonObject } {
  const { method, params } = request;
  if (method === 'roots/list') return { method };
  if (method === 'sampling/createMessage') {
    const withContext = covers(declared, { sampling: { context: {} } });
    return { method, params: encodeSampling(revision, params, withContext) };
  }
  const full = revision.elicitation === 'full';
  if (!('url' in params)) {
    const { message, requestedSchema } = params;
    const form = { message, requestedSchema: encodeForm(revision, requestedSchema) };
    return { method, params: full ? { mode: 'form', ...form } : form };
  }
  return {
    method,
    params: revision.elicitationId ? { ...params, elicitationId: crypto.randomUUID() } : params,
  };
}

/** The capabilities that a client must have declared before this input request may be sent to it. */
export function requiredCapability(request: InputRequest): JsonObject {
  switch (request.method) {
    case 'elicitation/create':
      return { elicitation: 'url' in request.params ? { url: {} } : { form: {} } };
    case 'sampling/createMessage': {
      const needsTools = request.params.tools !== undefined || request.params.toolChoice !== undefined;
      return { sampling: needsTools ? { tools: {} } : {} };
    }
    case 'roots/list':
      return { roots: {} };
  }
}

/** Whether the capabilities `declared` include all that are `required`. */
export function covers(declared: JsonObject, required: JsonObject): boolean {
  return Object.entries(required).every(([name, modes]) => {
    const capability = declared[name];
    if (typeof capability !== 'object' || capability === null) return false;
    const has = (mode: string) =>
      name === 'elicitation' && mode === 'form' ? supportsForms(declared) : mode in capability;
    return Object.keys(modes as JsonObject).every(has);
  });
}
