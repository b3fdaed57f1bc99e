import type { LogLevel } from '../../define/call.ts';
import type { ProxyCall } from '../../define/proxy/proxy.ts';
import { type JsonSource, sourceIn } from '../../jsonrpc/json-source.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { ActiveCall } from '../call/active-call.ts';

/** One request of a client, in the form that the session of a proxy takes. */
export class ProxiedCall implements ProxyCall {
  readonly call: ActiveCall;

  readonly #params: JsonObject;

  constructor(call: ActiveCall, params: JsonObject) {
    this.call = call;
    this.#params = params;
  }

  get source(): JsonSource | undefined {
    const { text } = this.call;
    return text === undefined ? undefined : sourceIn(text, 'params', this.#params);
  }

  get signal(): AbortSignal {
    return this.call.signal;
  }

  whenCancelled(cancel: (reason: unknown) => void): void {
    this.call.cancelled = (reason) => cancel(reason ?? new Error('The client has cancelled the request'));
  }

  get logLevel(): LogLevel | undefined {
    return this.call.peer.logLevel;
  }

  get progress(): ProxyCall['progress'] {
    return this.call.progress;
  }

  notify(method: string, params: JsonObject): void {
    this.call.notify(method, params);
  }
}
