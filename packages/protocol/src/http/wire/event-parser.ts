import type { ServerEvent } from './event-stream.ts';

/** Matches the end of a line. If a chunk ends with `\r`, a `\n` that begins the next chunk is skipped. */
const lineEnd = /\r\n|\n|\r/g;

/**
 * Parses a stream of text into Server-Sent Events. Throws if an event is longer than `maxLength` characters.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class EventParser {
  readonly #maxLength: number;
  /** The pieces of a line whose end has not arrived yet. */
  #partial: string[] = [];
  /** The number of characters of the event so far. */
  #length = 0;
  #afterReturn = false;
  #id: string | undefined;
  #hasId = false;
  #name: string | undefined;
  #data: string[] = [];
  /** The delay, in milliseconds, that the server wants the client to wait before it reconnects. */
  retryMs: number | undefined;

  constructor(maxLength = Infinity) {
    this.#maxLength = maxLength;
  }

  /** Takes the next text and returns the events that it completes. */
  *read(text: string): Generator<ServerEvent> {
    let start = this.#afterReturn && text.startsWith('\n') ? 1 : 0;
    if (text !== '') this.#afterReturn = text.endsWith('\r');
    lineEnd.lastIndex = start;
    for (;;) {
      lineEnd.lastIndex = start;
      const end = lineEnd.exec(text);
      const line = text.slice(start, end?.index);
      this.#grow(line.length);
      if (line !== '') this.#partial.push(line);
      if (!end) return;
      start = end.index + end[0].length;
      const whole = this.#partial.length === 1 ? (this.#partial[0] ?? '') : this.#partial.join('');
      this.#partial = [];
      const event = this.#readLine(whole);
      if (event) yield event;
    }
  }

  #grow(length: number): void {
    this.#length += length;
    if (this.#length > this.#maxLength) {
      throw new Error(`An event may have at most ${this.#maxLength} characters`);
    }
  }

  #readLine(line: string): ServerEvent | undefined {
    if (line === '') return this.#take();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const space = line.charCodeAt(colon + 1) === 0x20 ? 2 : 1;
    const value = colon === -1 ? '' : line.slice(colon + space);
    if (field === 'data') {
      this.#data.push(value);
    } else {
      // Only `data` lines count toward `maxLength`, because a stream may contain any number of comments and
      // other fields.
      this.#length -= line.length;
      if (field === 'event') this.#name = value;
      else if (field === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
      else if (field === 'id' && !value.includes('\0')) {
        this.#id = value;
        this.#hasId = true;
      }
    }
    return undefined;
  }

  #take(): ServerEvent | undefined {
    // An event with an id and no data still sets the position from which a client resumes.
    const event =
      this.#data.length === 0 && !this.#hasId
        ? undefined
        : {
            ...(this.#id !== undefined && { id: this.#id }),
            ...(this.#name !== undefined && { name: this.#name }),
            data: this.#data.length === 1 ? (this.#data[0] ?? '') : this.#data.join('\n'),
          };
    this.#name = undefined;
    this.#hasId = false;
    this.#data = [];
    this.#length = 0;
    return event;
  }
}
