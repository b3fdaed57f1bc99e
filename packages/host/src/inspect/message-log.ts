import { isObject } from '@mcp/kit';
import type { WireMessage } from '../servers/observed-connector.ts';

/** A message as the page lists it. */
export interface LoggedMessage extends Omit<WireMessage, 'text'> {
  /** The number of the message, from 1. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly kind: 'request' | 'notification' | 'result' | 'error' | 'other';
  /** The method; of an answer, that of its request. */
  readonly method: string;
  readonly id: string;
  /** The name or the URI of what the request is about. */
  readonly about: string;
  /** Milliseconds from the request to this answer. */
  readonly ms?: number;
  readonly bytes: number;
  /** The beginning of the message. */
  readonly text: string;
}

/** Maximum number of messages and of characters that are kept; `listed` is that of a text in the list. */
const limits = { messages: 100_000, characters: 200_000_000, listed: 4_000 } as const;

/** Keeps the messages of all servers. */
export class MessageLog {
  readonly #texts = new Map<number, string>();
  readonly #listed: LoggedMessage[] = [];
  /** How many messages at the beginning of the list were dropped: they are deleted together. */
  #dropped = 0;
  /** Requests without an answer, by connection, side and id. */
  readonly #open = new Map<
    string,
    { readonly method: string; readonly about: string; readonly time: number }
  >();
  #characters = 0;
  #last = 0;

  add({ text, ...place }: WireMessage): LoggedMessage {
    const time = Date.now();
    const number = ++this.#last;
    const message = {
      ...place,
      ...this.#summary(text, place, time),
      number,
      time,
      bytes: Buffer.byteLength(text),
      text: text.slice(0, limits.listed),
    };
    this.#texts.set(number, text);
    this.#listed.push(message);
    this.#characters += text.length;
    while (this.#texts.size > limits.messages || this.#characters > limits.characters) {
      const oldest = this.#listed[this.#dropped++];
      if (!oldest) break;
      this.#characters -= this.#texts.get(oldest.number)?.length ?? 0;
      this.#texts.delete(oldest.number);
    }
    // To delete one message from the beginning of such a list takes a millisecond.
    if (this.#dropped > this.#listed.length / 10) {
      this.#listed.splice(0, this.#dropped);
      this.#dropped = 0;
    }
    return message;
  }

  /** The messages after a number. */
  after(number: number): readonly LoggedMessage[] {
    const first = this.#listed[this.#dropped]?.number ?? 1;
    return this.#listed.slice(this.#dropped + Math.max(0, number + 1 - first));
  }

  /** The whole text of a message; undefined if it was dropped. */
  textOf(number: number): string | undefined {
    return this.#texts.get(number);
  }

  #summary(text: string, { connection, from }: Omit<WireMessage, 'text'>, time: number) {
    const other = { kind: 'other' as const, method: '', id: '', about: '' };
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return other;
    }
    if (!isObject(value)) return other;
    const { method } = value;
    const id = typeof value['id'] === 'string' ? value['id'] : (JSON.stringify(value['id']) ?? '');
    if (typeof method === 'string') {
      const about = aboutOf(value['params']);
      if (id !== '') this.#open.set(`${connection} ${from} ${id}`, { method, about, time });
      return { kind: id === '' ? ('notification' as const) : ('request' as const), method, id, about };
    }
    const key = `${connection} ${from === 'client' ? 'server' : 'client'} ${id}`;
    const request = this.#open.get(key);
    this.#open.delete(key);
    const kind = value['error'] === undefined ? ('result' as const) : ('error' as const);
    if (!request) return { ...other, kind, id };
    const { method: asked, about } = request;
    return { kind, method: asked, id, about, ms: time - request.time };
  }
}

function aboutOf(params: unknown): string {
  const { name, uri } = isObject(params) ? params : {};
  return [name, uri].find((each) => typeof each === 'string') ?? '';
}
