import type { ServerEvent } from './event-stream.ts';

/** The events of a stream of text, as it comes. */
export class EventParser {
  #rest = '';
  #id: string | undefined;
  #name: string | undefined;
  #data: string[] = [];
  /** How long the server asks to wait before coming back. */
  retryMs: number | undefined;

  /** Takes the next text and gives the events that are complete by now. */
  *read(text: string): Generator<ServerEvent> {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = this.#readLine(line);
      if (event) yield event;
    }
  }

  #readLine(line: string): ServerEvent | undefined {
    if (line === '') return this.#take();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#name = value;
    else if (field === 'id') this.#id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
    return undefined;
  }

  #take(): ServerEvent | undefined {
    const event =
      this.#data.length === 0
        ? undefined
        : {
            ...(this.#id !== undefined && { id: this.#id }),
            ...(this.#name !== undefined && { name: this.#name }),
            data: this.#data.join('\n'),
          };
    this.#name = undefined;
    this.#data = [];
    return event;
  }
}
