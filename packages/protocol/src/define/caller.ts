import type { Route } from '../jsonrpc/channel.ts';
import type { JsonObject } from '../jsonrpc/message.ts';

/**
 * Who sends a request: the owner of a token, as the server's `authorization.verify` returns it. `verify` may
 * return more members than these; a handler that declares their type, as in `Call<Context, User>`, gets them
 * too.
 */
export interface Caller {
  /** The owner's identity: only this principal has access to its sessions, tasks and request states. */
  readonly principal: string;
  /** The scopes that were granted to the caller. Default: none. */
  readonly scopes?: readonly string[];
  /**
   * Whether several clients share the token. `maxSessionsPerClient` then limits the sessions of each IP
   * address, not of the principal. Default: false.
   */
  readonly shared?: boolean;
  /**
   * When the token expires, in milliseconds since 1970. A stream on which the client listens then ends; a
   * request that is being answered goes on. Default: unknown; such a request ends, too, as soon as `verify`
   * no longer returns the caller.
   */
  readonly expiresAt?: number;
}

/** The program that sends a request. It describes itself: nothing here is verified. */
export interface CallingClient {
  /** The revision of the protocol in which the request came, such as `2025-11-25`. */
  readonly revision: string;
  /** The name, the version and more, as the client gives them; undefined if it gives none. */
  readonly info: JsonObject | undefined;
  /** The id of the HTTP session, in revisions up to 2025-11-25; otherwise undefined. */
  readonly sessionId: string | undefined;
  /** The HTTP headers that `passHeaders` names, by lower-case names. Empty on other transports. */
  readonly headers: { readonly [name: string]: string };
}

/** What a transport knows about the sender of a message. */
export interface Sender {
  /** Undefined without authorization. */
  readonly caller: Caller | undefined;
  readonly sessionId?: string | undefined;
  readonly headers?: CallingClient['headers'];
  /** The HTTP request of the message, for an observer. */
  readonly request?: ObservedHttpRequest | undefined;
}

/** What an observer may know of an HTTP request. */
export interface ObservedHttpRequest {
  readonly transport: Route['transport'];
  /** Returns a header by its lower-case name; undefined if there is none. */
  readonly header: (name: string) => string | undefined;
}

/** The sender of messages on a transport without authorization. */
export const unknownSender: Sender = Object.freeze({ caller: undefined });
