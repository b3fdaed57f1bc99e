import type { Content } from '../define/content.ts';

/** The differences of one dated version of the specification, as data for the codec. */
export interface Revision {
  readonly version: string;
  /** Every request is stateless (2026-07-28); otherwise an `initialize` opens a conversation. */
  readonly stateless: boolean;
  /** A stream over HTTP begins with an event without data, so that a client can resume it. */
  readonly primesStreams: boolean;
  /** JSON-RPC batches are accepted. */
  readonly batches: boolean;
  /** Requests a client may send. */
  readonly requests: ReadonlySet<string>;
  /** Requests that a server may send to the client, as messages or inside a result. */
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
