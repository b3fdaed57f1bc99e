import type { Channel, Receiver } from '../../jsonrpc/channel.ts';
import { EventParser } from '../wire/event-parser.ts';
import type { Fetch } from './fetch.ts';
import type { HttpChannelOptions } from './http-channel.ts';

/** A client's channel to a server of HTTP+SSE, as 2024-11-05 had it: one stream to hear, one address to post to. */
export class SseChannel implements Channel {
  readonly #url: string;
  readonly #headers: HttpChannelOptions['headers'];
  readonly #fetch: Fetch;
  readonly #closed = new AbortController();
  #receiver: Receiver | undefined;
  #postUrl!: (url: string) => void;
  readonly #endpoint = new Promise<string>((resolve) => (this.#postUrl = resolve));
  #sent: Promise<unknown> = this.#endpoint;

  readonly congested = false;

  constructor(url: string, { headers, fetch = globalThis.fetch, authorize }: HttpChannelOptions = {}) {
    this.#url = url;
    this.#headers = headers;
    this.#fetch = authorize?.(fetch) ?? fetch;
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver;
    void this.#listen().finally(() => receiver.ended());
  }

  send(text: string): void {
    this.#sent = this.#sent.then(async () => {
      const request = new Request(await this.#endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...this.#headers },
        body: text,
        signal: this.#closed.signal,
      });
      await (await this.#fetch(request)).body?.cancel();
    });
    this.#sent = this.#sent.catch(() => undefined);
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  hold(): void {}

  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.resolve();
  }

  async #listen(): Promise<void> {
    try {
      const headers = { accept: 'text/event-stream', ...this.#headers };
      const response = await this.#fetch(new Request(this.#url, { headers, signal: this.#closed.signal }));
      const parser = new EventParser();
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        for (const { name, data } of parser.read(decoder.decode(chunk, { stream: true }))) {
          if (name === 'endpoint') this.#postUrl(new URL(data, this.#url).href);
          else if (name === undefined || name === 'message') this.#receiver?.message(data);
        }
      }
    } catch {
      // The end of the stream is the end of the conversation, however it comes.
    }
  }
}
