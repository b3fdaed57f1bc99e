import type {
  ElicitForm,
  ElicitResponse,
  ElicitUrl,
  RootsResponse,
  SamplingParams,
  SamplingResponse,
} from '../../define/input.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';

/** How a request of a server was made. */
export interface HostCall {
  /** Aborts when the server cancels its request, or the connection ends. */
  readonly signal: AbortSignal;
}

/**
 * What a server may request of the program around a client. Each function that is given is declared as a capability.
 * A function that throws an `RpcError` answers with that error: code -1 is the user's refusal of sampling.
 */
export interface Host {
  /**
   * Shows a form to the user, or asks to open a page where `url` is given and `elicitsUrls` is set. Defaults of the
   * form that an accepted answer leaves out are filled in.
   */
  elicit?(request: ElicitForm | ElicitUrl, call: HostCall): Promise<ElicitResponse>;
  /** Whether `elicit` opens pages; defaults to false. */
  readonly elicitsUrls?: boolean;
  /** Has a model continue a conversation. */
  sample?(request: SamplingParams, call: HostCall): Promise<SamplingResponse>;
  /** Whether `sample` takes tools; defaults to false. */
  readonly samplesTools?: boolean;
  /** Returns the directories that the host works in, as `file:` URIs. */
  roots?(call: HostCall): Promise<RootsResponse['roots']>;
  /**
   * Answers every request of the server, in place of the functions above; a proxy passes them on. Its parameters and
   * its result are not checked.
   */
  answer?(method: string, params: JsonObject | undefined, call: HostCall): Promise<JsonObject>;
  /** The capabilities to declare, in place of those of the functions above. */
  readonly capabilities?: JsonObject;
  /** Whether calls may become tasks, which the client drives to their end; defaults to true. */
  readonly tasks?: boolean;
}
