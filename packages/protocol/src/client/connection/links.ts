import type { Connector } from '../../jsonrpc/channel.ts';
import { ConnectionClosed } from '../../jsonrpc/error.ts';
import type { Link } from './link.ts';

/** The links of a client to its server, one at a time: a link is opened after the last one has ended. */
export class Links {
  readonly #open: () => Promise<Link>;
  readonly #reopens: boolean;
  #current: Link | undefined;
  #opening: Promise<Link> | undefined;
  #closed = false;

  constructor(open: () => Promise<Link>, reopens: boolean) {
    this.#open = open;
    this.#reopens = reopens;
  }

  get reopens(): boolean {
    return this.#reopens && !this.#closed;
  }

  /** The open link; undefined if the last link has ended. */
  get live(): Link | undefined {
    return this.#current?.ended.aborted === false ? this.#current : undefined;
  }

  /** The last link, even if it has ended. Throws if no link has been opened yet. */
  get last(): Link {
    if (!this.#current) throw new Error('The client is not connected');
    return this.#current;
  }

  /** Returns the open link; opens a new link if the last link has ended. */
  get(): Promise<Link> {
    const { live } = this;
    if (live) return Promise.resolve(live);
    if (this.#closed) return Promise.reject(new ConnectionClosed('The client has closed the connection'));
    if (this.#current && !this.#reopens) return Promise.reject(this.#current.ended.reason as Error);
    this.#opening ??= this.#open()
      .then((link) => (this.#current = link))
      .finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const opening = await this.#opening?.catch(() => undefined);
    await (opening ?? this.#current)?.close();
  }
}

/** Returns a connector for a channel that already exists. The connector can open the channel only once. */
export function once(channel: ReturnType<Connector['open']>, name: string): Connector {
  let opened = false;
  return {
    name,
    http: channel.http ?? false,
    open() {
      if (opened) throw new ConnectionClosed('The connection has ended');
      opened = true;
      return channel;
    },
  };
}
