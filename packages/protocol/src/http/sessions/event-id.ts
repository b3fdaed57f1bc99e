/** What the id of an event in a stream of a session says. */
export interface EventId {
  /** The process and session that sent the event; undefined for a session that lives in one process. */
  readonly sender: string | undefined;
  /** Whether the session had subscriptions there. */
  readonly subscribed: boolean;
  /** The number of the stream; 0 is the stream for messages that belong to no request. */
  readonly stream: number;
  readonly place: number;
}

/** The id of an event as text. */
export function eventIdText({ sender, subscribed, stream, place }: EventId): string {
  const from = sender === undefined ? '' : `${sender}${subscribed ? 's' : ''}-`;
  return `${from}${stream}-${place}`;
}

const syntax = /^(?:([0-9a-f]{8})(s?)-)?(0|[1-9]\d{0,8})-(0|[1-9]\d{0,8})$/;

/** Reads the id of an event; undefined for an invalid id. */
export function parseEventId(id: string): EventId | undefined {
  const [, sender, subscribed, stream, place] = syntax.exec(id) ?? [];
  if (stream === undefined) return undefined;
  return { sender, subscribed: subscribed === 's', stream: Number(stream), place: Number(place) };
}
