import type { Content } from '../define/content.ts';

/** One dated version of the specification: what distinguishes it from the other versions, as data. */
export interface Revision {
  readonly version: string;
  /** Whether every request is stateless (2026-07-28). Otherwise an `initialize` opens a conversation. */
  readonly stateless: boolean;
  /** Whether streams over HTTP begin with an event without data, whose id lets a client resume the stream. */
  readonly primesStreams: boolean;
  /** Whether JSON-RPC batches are accepted. */
  readonly batches: boolean;
  /** Methods of the requests that a client may send. */
  readonly requests: ReadonlySet<string>;
  /** Methods of the requests that a server may send to the client, as messages or inside a result. */
  readonly clientRequests: ReadonlySet<string>;
  /** For each kind of object, such as `tool` or `prompt`, the members that the revision defines. */
  readonly keys: { readonly [Kind in KeyedKind]: readonly string[] };
  readonly contentTypes: ReadonlySet<Content['type']>;
  readonly structuredContent: 'none' | 'object' | 'any';
  /** Whether `notifications/progress` may carry a message. */
  readonly progressMessage: boolean;
  readonly resourceNotFound: number;
  readonly elicitation: 'none' | 'simple' | 'full';
  /** `simple`: a message has one content block. `full`: a message may have several, and uses of tools. */
  readonly sampling: 'simple' | 'full';
  /** Whether elicitation by URL carries an `elicitationId`. */
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
