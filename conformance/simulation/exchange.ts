import type { EventStream, ServerEvent } from '../../packages/protocol/src/http/wire/event-stream.ts';
import { EventParser } from '../../packages/protocol/src/http/wire/event-parser.ts';
import type { HttpReply, HttpRequest } from '../../packages/protocol/src/http/wire/http-message.ts';
import type { Process } from './process.ts';
import type { Replica } from './replica.ts';
import type { World } from './world.ts';

/** The connection was lost, or could not be opened. */
export class Lost extends Error {}

/** A request of a client. */
export interface Sent {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: HttpReply['headers'];
  /** The body; undefined for a stream, whose events `next` returns. */
  readonly text: string | undefined;
}

/** One request to a replica, and its answer, on a connection of its own. */
export class Exchange {
  readonly replica: Replica;
  readonly reply: Promise<Received>;
  readonly #world: World;
  readonly #process: Process;
  readonly #parser = new EventParser();
  readonly #events: ServerEvent[] = [];
  #answer!: (reply: Received) => void;
  #refuse!: (error: Error) => void;
  /** What the replica does when the client is gone; undefined if it is gone. */
  #gone: (() => void)[] | undefined = [];
  #wake = () => {};
  #downAt = 0;
  /** What arrives at the client later than this is lost. */
  #cutAt = Infinity;
  #isOver = false;
  #isLost = false;

  constructor(world: World, replica: Replica, request: Sent) {
    this.#world = world;
    this.replica = replica;
    this.#process = replica.process;
    this.reply = new Promise((resolve, reject) => {
      this.#answer = resolve;
      this.#refuse = reject;
    });
    this.reply.catch(() => {});
    this.#process.whenDead.push(() => this.cut());
    world.after(world.latency(), () => this.#arrive(request), world.outside);
  }

  /** The next event of a stream; undefined at its end. Throws a `Lost`. */
  async next(): Promise<ServerEvent | undefined> {
    while (this.#events.length === 0) {
      if (this.#isLost) throw new Lost('The connection was lost');
      if (this.#isOver) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#events.shift();
  }

  /** Loses the connection: of what is under way to the client, the first part may still arrive. */
  cut(): void {
    if (this.#isOver || this.#cutAt !== Infinity) return;
    const world = this.#world;
    const wait = world.random.pick([0, 5]);
    this.#cutAt = world.now + wait;
    world.after(wait, () => this.#lose(), world.outside);
    world.after(world.latency(), () => this.#leave(), this.#process);
  }

  #leave(): void {
    const all = this.#gone ?? [];
    this.#gone = undefined;
    for (const gone of all) gone();
  }

  #whenGone(gone: () => void): void {
    if (this.#gone) this.#gone.push(gone);
    else gone();
  }

  #lose(): void {
    this.#isLost = true;
    this.#refuse(new Lost('The connection was lost'));
    this.#wake();
  }

  #arrive(request: Sent): void {
    const { endpoint, process } = this.replica;
    if (process !== this.#process || !endpoint) return this.#lose();
    const asked: HttpRequest = {
      method: request.method,
      path: '/mcp',
      query: new URLSearchParams(),
      address: '127.0.0.1',
      connection: this,
      header: (name) => (name === 'host' ? 'localhost' : request.headers[name]),
      body: async () => encoder.encode(request.body),
      whenGone: (gone) => this.#whenGone(gone),
    };
    const answer = () => void endpoint.answer(asked).then((reply) => this.#begin(reply));
    this.#world.after(0, answer, this.#process);
  }

  /** Brings the reply of the endpoint. */
  #begin({ status, headers, body }: HttpReply): void {
    const isStream = typeof body === 'object';
    this.#down(() => {
      if (!isStream) this.#isOver = true;
      this.#answer({ status, headers, text: isStream ? undefined : (body ?? '') });
    });
    if (isStream) this.#carry(body);
  }

  #carry(events: EventStream): void {
    events.attach({
      write: (text) => {
        this.#down(() => this.#events.push(...this.#parser.read(text)));
        return true;
      },
      end: () => this.#down(() => (this.#isOver = true)),
    });
    this.#whenGone(() => events.close());
  }

  #down(arrive: () => void): void {
    const world = this.#world;
    this.#downAt = Math.max(this.#downAt, world.now + world.latency());
    const bring = () => {
      if (world.now > this.#cutAt || this.#isLost) return;
      arrive();
      this.#wake();
    };
    world.after(this.#downAt - world.now, bring, world.outside);
  }
}

const encoder = new TextEncoder();
