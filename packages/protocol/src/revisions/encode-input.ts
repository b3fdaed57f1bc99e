import type { InputRequest } from '../define/input.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import { encodeForm } from './encode-form.ts';
import { encodeSampling } from './encode-sampling.ts';
import type { Revision } from './revision.ts';

/** A question to a client with these capabilities, as this revision puts it; throws where it has no way to. */
export function encodeInputRequest(
  revision: Revision,
  request: InputRequest,
  declared: JsonObject,
): { readonly method: string; readonly params?: JsonObject } {
  const { method, params } = request;
  if (!revision.clientRequests.has(method)) {
    throw new Error(`${method} is not part of protocol version ${revision.version}`);
  }
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
  if (!full) throw new Error(`Elicitation by URL is not part of protocol version ${revision.version}`);
  return {
    method,
    params: revision.elicitationId ? { ...params, elicitationId: crypto.randomUUID() } : params,
  };
}

/** What the client must have declared before it may be asked this. */
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

/** Whether `declared` covers `required`; an elicitation capability that names no mode means forms. */
export function covers(declared: JsonObject, required: JsonObject): boolean {
  return Object.entries(required).every(([name, modes]) => {
    const capability = declared[name];
    if (typeof capability !== 'object' || capability === null) return false;
    const has = (mode: string) =>
      mode in capability || (name === 'elicitation' && mode === 'form' && !('url' in capability));
    return Object.keys(modes as JsonObject).every(has);
  });
}
