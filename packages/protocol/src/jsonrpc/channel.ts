import type { RpcError } from './error.ts';
import type { Id, JsonObject } from './message.ts';

/** The metadata of a message, so that a transport need not parse the message. */
export interface Envelope {
  readonly id?: Id;
  readonly method?: string;
  readonly params?: JsonObject;
  /** HTTP headers to send with the message; other transports ignore them. */
  readonly headers?: { readonly [name: string]: string };
}

/** How messages travel between two processes. */
export interface Route {
  /** `pipe` for stdio and named pipes; `unix` for Unix sockets. */
  readonly transport: 'pipe' | 'tcp' | 'unix';
  /** Whether messages travel over HTTP. Default: false. */
  readonly http?: boolean;
  /** The id of the HTTP session; undefined if there is none, or not yet. */
  readonly sessionId?: string | undefined;
  /** The host or the socket of the server, for a client over HTTP. */
  readonly address?: string | undefined;
  /** The port of the server, for a client over HTTP. */
  readonly port?: number | undefined;
}

/** Opens channels to one server, one at a time: a new channel is opened after the previous one has ended. */
export interface Connector {
  /** The server's name in errors: a command line or a URL, without secrets. */
  readonly name: string;
  readonly http?: boolean;
  open(): Channel;
  /** Opens a channel of an older transport, for a server that does not know the transport of `open`. */
  openFallback?(): Channel;
}

/**
 * A stream of messages in both directions; each message is one JSON text. A transport implements it over a
 * stream of bytes, such as stdio or HTTP.
 */
export interface Channel {
  /** Whether messages travel over HTTP, where metadata of a message is also sent in headers. */
  readonly http?: boolean;
  /** How the messages travel; undefined within one process. */
  readonly route?: Route;
  /** Starts delivery to `receiver`; called once. */
  open(receiver: Receiver): void;
  /** Queues one message. Never throws. Once the channel is closed, the message is dropped. */
  send(text: string, envelope?: Envelope): void;
  /** True while too many sent messages wait for the other side to read them. */
  readonly congested: boolean;
  /** Resolves when the queue has room again, or when the channel is closed. */
  drained(): Promise<void>;
  /** Pauses (`true`) or resumes (`false`) the reading of messages, so that the sender has to wait. */
  hold(held: boolean): void;
  /** Delivers queued messages, then ends the channel. */
  close(): Promise<void>;
}

/** The receiver of a channel's messages. */
export interface Receiver {
  /** Takes one message; `value` is its JSON value, if the channel has parsed it already. */
  message(text: string, value?: unknown): void;
  /** Called when the transport has received data that is not a message. */
  malformed(error: RpcError): void;
  /** Called when the request `id` gets no answer because of `error`; only by some channels, such as HTTP. */
  failed?(id: Id, error: Error): void;
  /**
   * Called when a request waits for something other than the server, such as a user who logs in: its timeout
   * is then suspended while `until` is pending. `id` is undefined if every request waits. Only some channels,
   * such as HTTP, call this function.
   */
  held?(id: Id | undefined, until: Promise<unknown>): void;
  /**
   * Called when notifications may be lost: the client then acts as if all that it subscribed to had changed.
   * Only channels that have a separate stream for notifications call this function.
   */
  missed?(): void;
  /** Called when the channel takes no more requests, because of `reason`. Earlier ones may be answered. */
  retired?(reason: string): void;
  /** Called once, when the other side has finished sending. `reason` is the cause, if it is known. */
  ended(reason?: string | Error): void;
}
