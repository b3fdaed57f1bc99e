import type { JsonObject } from '../../src/jsonrpc/message.ts';

/** One event of a stream, or a comment, as it was on the wire. */
export type WireEvent = {
  id?: string;
  event?: string;
  data?: string;
  retry?: string;
  comment?: true;
};

/** Reads a stream of Server-Sent Events, one by one. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = '';

  constructor(response: Response) {
    this.#reader = response.body!.getReader();
  }

  /** The next event; undefined at the end of the stream. */
  async next(): Promise<WireEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end !== -1) {
        const lines = this.#text.slice(0, end).split('\n');
        this.#text = this.#text.slice(end + 2);
        return parse(lines);
      }
      const { value, done } = await this.#reader.read();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  /** The next message; events without one are skipped. */
  async message(): Promise<JsonObject | undefined> {
    for (let event = await this.next(); event; event = await this.next()) {
      if (event.data) return JSON.parse(event.data) as JsonObject;
    }
    return undefined;
  }

  /** Everything up to the end of the stream. */
  async rest(): Promise<WireEvent[]> {
    const events = [];
    for (let event = await this.next(); event; event = await this.next()) events.push(event);
    return events;
  }

  /** Hangs up. */
  async close(): Promise<void> {
    await this.#reader.cancel();
  }
}

function parse(lines: readonly string[]): WireEvent {
  const event: WireEvent = {};
  for (const line of lines) {
    const [, field, value = ''] = /^(\w*): ?(.*)$/.exec(line) ?? [];
    if (field === '') event.comment = true;
    else event[field as 'id' | 'event' | 'data' | 'retry'] = value;
  }
  return event;
}
