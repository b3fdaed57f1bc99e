import type { RpcError } from './error.ts';

/** A stream of messages in both directions, each one JSON text. Transports make channels from bytes. */
export interface Channel {
  /** Starts delivery to `receiver`; called once. */
  open(receiver: Receiver): void;
  /** Queues one message. Never throws; once the channel is closed it does nothing. */
  send(text: string): void;
  /** True while more is queued than the other side has taken. */
  readonly congested: boolean;
  /** Resolves when the queue has room again, or when the channel is closed. */
  drained(): Promise<void>;
  /** Holds back (`true`) or lets through (`false`) incoming messages; what is held stays with the sender. */
  hold(held: boolean): void;
  /** Delivers what is queued, then ends the channel. */
  close(): Promise<void>;
}

/** What a channel delivers to. */
export interface Receiver {
  message(text: string): void;
  /** Something arrived that the transport could not make a message of. */
  malformed(error: RpcError): void;
  /** The other side has finished sending; `reason` says why where that is known. Called once. */
  ended(reason?: string): void;
}
