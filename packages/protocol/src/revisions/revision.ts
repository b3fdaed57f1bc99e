import type { Content } from '../define/content.ts';

/** What one dated version of the specification may carry: data that the codec reads and nothing else knows. */
export interface Revision {
  readonly version: string;
  /** Every request stands alone (2026-07-28); otherwise an `initialize` opens a conversation. */
  readonly stateless: boolean;
  /** A stream over HTTP begins with an event without data, so that a client can come back to it. */
  readonly primesStreams: boolean;
  /** JSON-RPC batches are accepted. */
  readonly batches: boolean;
  /** Requests a client may send. */
  readonly requests: ReadonlySet<string>;
  /** Requests a server may put to the client, on the wire or inside a result. */
  readonly clientRequests: ReadonlySet<string>;
  /** The keys each kind of object may have. */
  readonly keys: { readonly [Kind in KeyedKind]: readonly string[] };
  readonly contentTypes: ReadonlySet<Content['type']>;
  readonly structuredContent: 'none' | 'object' | 'any';
  /** `notifications/progress` may carry a message. */
  readonly progressMessage: boolean;
  readonly resourceNotFound: number;
  readonly elicitation: 'none' | 'simple' | 'full';
  /** Messages for sampling hold one block, or several and tools. */
  readonly sampling: 'simple' | 'full';
  /** Elicitation by URL carries an `elicitationId`. */
  readonly elicitationId: boolean;
}

export type KeyedKind =
  | 'implementation'
  | 'capabilities'
  | 'tool'
  | 'resource'
  | 'template'
  | 'contents'
  | 'prompt'
  | 'promptArgument'
  | 'annotations'
  | 'content';
