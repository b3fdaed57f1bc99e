import type {
  ElicitForm,
  ElicitResponse,
  ElicitUrl,
  RootsResponse,
  SamplingParams,
  SamplingResponse,
} from '../../define/input.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';

/** One request of a server. */
export interface HostCall {
  /** Aborts when the server cancels its request, or the connection ends. */
  readonly signal: AbortSignal;
}

/**
 * Answers the requests of a server. Each function that is given is declared as a capability. If a function
 * throws an `RpcError`, the server gets that error; its code -1 means that the user refused sampling.
 */
export interface HostHandlers {
  /**
   * Shows a form to the user, or offers to open a page if the request has a `url`, which requires
   * `elicitsUrls`. Fields that an accepted answer omits get the defaults of the form.
   */
  elicit?(request: ElicitForm | ElicitUrl, call: HostCall): Promise<ElicitResponse>;
  /** Whether `elicit` opens pages; defaults to false. */
  readonly elicitsUrls?: boolean;
  /** Lets a model continue a conversation. */
  sample?(request: SamplingParams, call: HostCall): Promise<SamplingResponse>;
  /** Whether `sample` supports tools; defaults to false. */
  readonly samplesTools?: boolean;
  /** Returns the directories that the server may work in, as `file:` URIs. */
  roots?(call: HostCall): Promise<RootsResponse['roots']>;
  /** For proxies: answers every request in place of the functions above, without checks of its values. */
  answer?(method: string, params: JsonObject | undefined, call: HostCall): Promise<JsonObject>;
  /** The capabilities to declare, in place of the capabilities that follow from the functions above. */
  readonly capabilities?: JsonObject;
  /** Whether calls may become tasks, which the client polls to their end; defaults to true. */
  readonly tasks?: boolean;
}
