import { connect, type Socket } from 'node:net';

/** A connection that carries whatever bytes one likes. */
export class RawSocket {
  /** Received text that was not returned yet. */
  received = '';
  readonly socket: Socket;
  readonly #closed: Promise<void>;
  #arrived: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    this.#closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => {});
    socket.on('close', () => this.#arrived?.());
    socket.setEncoding('latin1').on('data', (text) => {
      this.received += String(text);
      this.#arrived?.();
    });
  }

  static open(url: string): Promise<RawSocket> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new RawSocket(socket)));
    });
  }

  write(bytes: string): void {
    this.socket.write(bytes, 'latin1');
  }

  /** Returns the received text through `end`. Throws when the connection is closed before. */
  async until(end: string): Promise<string> {
    for (;;) {
      const at = this.received.indexOf(end);
      if (at !== -1) {
        const taken = this.received.slice(0, at + end.length);
        this.received = this.received.slice(at + end.length);
        return taken;
      }
      if (this.socket.destroyed) throw new Error(`Closed before "${end}": ${this.received}`);
      await new Promise<void>((resolve) => (this.#arrived = resolve));
    }
  }

  /** Takes one whole response that says its length. */
  async response(): Promise<{ status: number; body: string }> {
    const head = await this.until('\r\n\r\n');
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    while (this.received.length < length) {
      if (this.socket.destroyed) throw new Error('Closed within a response');
      await new Promise<void>((resolve) => (this.#arrived = resolve));
    }
    const body = this.received.slice(0, length);
    this.received = this.received.slice(length);
    return { status: Number(/^HTTP\/1.1 (\d+)/.exec(head)?.[1]), body };
  }

  /** Everything that came until the server hung up. */
  async closed(): Promise<string> {
    await this.#closed;
    return this.received;
  }

  destroy(): void {
    this.socket.destroy();
  }
}

/** A request as bytes; without a length where there is no body. */
export function requestText(
  url: string,
  {
    method = 'POST',
    headers,
    body,
  }: { method?: string; headers: { readonly [name: string]: string }; body?: string },
): string {
  const { host, pathname, search } = new URL(url);
  const all = {
    host,
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}
