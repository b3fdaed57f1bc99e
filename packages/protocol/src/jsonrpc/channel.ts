import type { RpcError } from './error.ts';
import type { Id, JsonObject } from './message.ts';

/** The metadata of a message that a transport would otherwise have to parse. */
export interface Envelope {
  readonly id?: Id;
  readonly method?: string;
  readonly params?: JsonObject;
  /** Headers for transports that have them. */
  readonly headers?: { readonly [name: string]: string };
}

/** Opens channels to one server, a new one after another has ended. */
export interface Connector {
  /** The server's name in errors: a command line or a URL, without secrets. */
  readonly name: string;
  readonly http?: boolean;
  open(): Channel;
  /** Opens a channel of an older transport, for a server that does not know the transport of `open`. */
  openFallback?(): Channel;
}

/** A stream of messages in both directions, each one JSON text. Transports make channels from bytes. */
export interface Channel {
  /** Whether messages travel over HTTP, with their metadata in headers as well. */
  readonly http?: boolean;
  /** Starts delivery to `receiver`; called once. */
  open(receiver: Receiver): void;
  /** Queues one message. Never throws; once the channel is closed it does nothing. */
  send(text: string, envelope?: Envelope): void;
  /** True while more is queued than the other side has taken. */
  readonly congested: boolean;
  /** Resolves when the queue has room again, or when the channel is closed. */
  drained(): Promise<void>;
  /** Pauses (`true`) or resumes (`false`) incoming messages; paused messages stay with the sender. */
  hold(held: boolean): void;
  /** Delivers queued messages, then ends the channel. */
  close(): Promise<void>;
}

/** The receiver of a channel's messages. */
export interface Receiver {
  /** `value` is the message where the channel has parsed it already. */
  message(text: string, value?: unknown): void;
  /** The transport received data that is not a message. */
  malformed(error: RpcError): void;
  /** The request `id` has no answer and will get none, because of `error`; only of channels that know. */
  failed?(id: Id, error: Error): void;
  /**
   * Until `until` settles, the request `id` (undefined: every request) waits for something other than the
   * server, such as a user; only of channels that know.
   */
  held?(id: Id | undefined, until: Promise<unknown>): void;
  /** Notifications may have been lost; only of channels whose notifications come over a stream of its own. */
  missed?(): void;
  /** The channel takes no more requests; those under way may still be answered before it ends. */
  retired?(reason: string): void;
  /** The other side has finished sending; `reason` says why where that is known. Called once. */
  ended(reason?: string | Error): void;
}
