import type { JsonObject } from '../../../jsonrpc/message.ts';

/** What one process tells the others about a session. */
export type SessionNews =
  /** The level of log messages is another one now. */
  | { readonly kind: 'level' }
  | { readonly kind: 'subscribed' | 'unsubscribed'; readonly uri: string }
  /** A process has the stream for notifications now: the one that says so last. */
  | { readonly kind: 'listening' }
  /** The stream for notifications has closed at a process. */
  | { readonly kind: 'left' }
  /** A process has a message for that stream: which process has it tells when it has sent the message. */
  | { readonly kind: 'message'; readonly id: string; readonly text: string }
  | { readonly kind: 'sent'; readonly id: string }
  /** The client has cancelled a request. */
  | { readonly kind: 'cancelled'; readonly params: JsonObject }
  /** The roots of the client have changed. */
  | { readonly kind: 'roots' }
  | { readonly kind: 'ended' };

/** News on the channel of all processes: with the key of the session, and the process that sends them. */
export type Envelope = { readonly session: string; readonly from: string; readonly news: SessionNews };

export function envelopeIn(message: string): Envelope {
  return JSON.parse(message) as Envelope;
}
