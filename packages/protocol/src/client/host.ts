import type {
  ElicitForm,
  ElicitResponse,
  ElicitUrl,
  RootsResponse,
  SamplingParams,
  SamplingResponse,
} from '../define/input.ts';
import { invalidParams, methodNotFound, RpcError } from '../jsonrpc/error.ts';
import { isObject, type JsonObject } from '../jsonrpc/message.ts';

/** What a server may ask of the program around a client; each one that is given is declared as a capability. */
export interface Host {
  /** Puts a form to the user, and a page to open where `url` is given and `elicitsUrls` is set. */
  elicit?(request: ElicitForm | ElicitUrl): Promise<ElicitResponse>;
  readonly elicitsUrls?: boolean;
  /** Has a model continue a conversation. */
  sample?(request: SamplingParams): Promise<SamplingResponse>;
  /** Says which directories the host works in. */
  roots?(): Promise<RootsResponse['roots']>;
}

export function capabilitiesOf(host: Host): JsonObject {
  return {
    ...(host.elicit && { elicitation: { form: {}, ...(host.elicitsUrls && { url: {} }) } }),
    ...(host.sample && { sampling: {} }),
    ...(host.roots && { roots: {} }),
  };
}

/** Answers a server's question, whether it came as a request or inside a result. */
export async function askHost(
  host: Host,
  method: string,
  params: JsonObject | undefined,
): Promise<JsonObject> {
  if (method === 'elicitation/create' && host.elicit) {
    if (!isObject(params)) throw new RpcError(invalidParams, '"params" must be an object');
    if ('url' in params && !host.elicitsUrls) {
      throw new RpcError(invalidParams, 'This client does not open pages for a server');
    }
    return host.elicit(params as ElicitForm | ElicitUrl);
  }
  if (method === 'sampling/createMessage' && host.sample) {
    return host.sample(params as SamplingParams);
  }
  if (method === 'roots/list' && host.roots) return { roots: await host.roots() };
  throw new RpcError(methodNotFound, `This client does not answer "${method}"`);
}
