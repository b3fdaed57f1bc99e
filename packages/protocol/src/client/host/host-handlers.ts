import type {
  ElicitForm,
  ElicitResponse,
  ElicitUrl,
  RootsResponse,
  SamplingParams,
  SamplingResponse,
} from '../../define/input/input.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';

/** One request of a server. */
export interface HostCall {
  /** Aborts when the server cancels its request, or the connection ends. */
  readonly signal: AbortSignal;
}

/**
 * Answers the requests of a server. Each function that is given is declared as a capability. If a function
 * throws an `RpcError`, the server gets that error; an error of `sample` with the code -1 tells the server
 * that the user refused.
 */
export interface HostHandlers {
  /**
   * Shows a form to the user or, for a request with a `url`, offers to open that page. Requests with a `url`
   * come only if `elicitsUrls` is true. Fields that an accepted answer omits get the defaults of the form.
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
  /**
   * For proxies: answers every request in place of `elicit`, `sample` and `roots`. Neither the parameters nor
   * the answers are validated.
   */
  answer?(method: string, params: JsonObject | undefined, call: HostCall): Promise<JsonObject>;
  /** The capabilities to declare, in place of those that follow from the other members, such as `sample`. */
  readonly capabilities?: JsonObject;
  /**
   * The settings of the extensions that the client declares, by the id of the extension. They are sent to the
   * server in every revision.
   */
  readonly extensions?: { readonly [id: string]: JsonObject };
  /** Whether calls may become tasks, which the client polls to their end; defaults to true. */
  readonly tasks?: boolean;
}
