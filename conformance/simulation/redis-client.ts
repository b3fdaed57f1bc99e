import { worldNow } from './globals.ts';
import type { Client } from './network.ts';
import type { Process } from './process.ts';
import type { Subscriber } from './redis.ts';

interface ClientOptions {
  readonly url: string;
  readonly socket: {
    readonly socketTimeout: number;
    readonly reconnectStrategy: (retries: number) => number;
  };
}

interface Pending {
  readonly send: () => unknown;
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Listeners {
  isLeaving: boolean;
  readonly all: Set<(message: string) => void>;
}

/** One open connection. What is sent arrives in order, in both directions. */
interface Wire extends Subscriber {
  upAt: number;
  downAt: number;
  /** What arrives at Redis later than this is lost. */
  cutAt: number;
}

/**
 * A model of `createClient` of `@redis/client`. When a connection is lost, commands without a reply are
 * rejected, whether or not Redis has run them. After a reconnection, the client subscribes to its channels
 * again before `ready`.
 */
export function createClient(options: ClientOptions): ModelClient {
  return new ModelClient(options);
}

export class ModelClient implements Client {
  readonly options: ClientOptions;
  isOpen = false;
  readonly #world = worldNow();
  readonly #process: Process = this.#world.current;
  readonly #handlers: { [event: string]: ((value?: Error) => void)[] } = {};
  readonly #listeners = new Map<string, Listeners>();
  #wire: Wire | undefined;
  #isReady = false;
  #retries = 0;
  /** Commands whose reply has not come, and those that wait for a connection. */
  #waiting: Pending[] = [];
  #queued: Pending[] = [];

  constructor(options: ClientOptions) {
    this.options = options;
    this.#world.network.enter(this.#process, this);
    this.#process.whenDead.push(() => this.#hangUp());
  }

  on(event: string, handler: (value?: Error) => void): this {
    (this.#handlers[event] ??= []).push(handler);
    return this;
  }

  connect(): Promise<this> {
    this.isOpen = true;
    return new Promise((resolve) => {
      this.on('ready', () => resolve(this));
      this.#open();
    });
  }

  get channels(): readonly string[] {
    return [...this.#listeners.keys()];
  }

  async sendCommand(command: readonly string[]): Promise<unknown> {
    if (!this.#isReady) throw new Error('The client is offline');
    return this.#sent(() => this.#world.network.redis.run(command, this.#process.name));
  }

  async subscribe(channel: string, heard: (message: string) => void): Promise<void> {
    const known = this.#listeners.get(channel);
    if (known && !known.isLeaving) return void known.all.add(heard);
    const wire = () => this.#wire;
    await this.#sent(() => wire()?.channels.add(channel));
    const listeners = this.#listeners.get(channel) ?? { isLeaving: false, all: new Set() };
    this.#listeners.set(channel, listeners);
    listeners.all.add(heard);
  }

  async unsubscribe(channel: string, heard: (message: string) => void): Promise<void> {
    const known = this.#listeners.get(channel);
    if (known && [...known.all].some((each) => each !== heard)) return void known.all.delete(heard);
    if (known) known.isLeaving = true;
    await this.#sent(() => this.#wire?.channels.delete(channel));
    known?.all.delete(heard);
    if (known?.all.size === 0) this.#listeners.delete(channel);
  }

  destroy(): void {
    this.isOpen = false;
    this.#lose('The client is closed');
  }

  cut(): void {
    if (!this.isOpen || !this.#wire) return;
    this.#lose('Socket closed unexpectedly');
    this.#openLater();
  }

  silence(ms: number): void {
    const wire = this.#wire;
    if (!wire) return;
    const until = this.#world.now + ms;
    wire.upAt = Math.max(wire.upAt, until);
    wire.downAt = Math.max(wire.downAt, until);
    const { socketTimeout } = this.options.socket;
    const lose = () => {
      if (this.#wire === wire) this.cut();
    };
    if (ms > socketTimeout) this.#world.after(socketTimeout, lose, this.#process);
  }

  #sent(send: () => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const pending = { send, resolve, reject };
      if (this.#wire) this.#transmit(pending, this.#wire);
      else this.#queued.push(pending);
    });
  }

  #transmit(pending: Pending, wire: Wire): void {
    this.#waiting.push(pending);
    const world = this.#world;
    wire.upAt = Math.max(wire.upAt, world.now + world.latency());
    const run = () => {
      if (world.now > wire.cutAt || !world.network.isUp) return;
      let answer: () => void;
      try {
        const reply = pending.send();
        answer = () => pending.resolve(reply);
      } catch (error) {
        answer = () => pending.reject(error as Error);
      }
      this.#down(wire, () => {
        this.#waiting.shift();
        answer();
      });
    };
    world.after(wire.upAt - world.now, run, world.outside);
  }

  /** Delivers a reply or a message of Redis to the client, in the order in which Redis has sent them. */
  #down(wire: Wire, arrive: () => void): void {
    const world = this.#world;
    wire.downAt = Math.max(wire.downAt, world.now + world.latency());
    world.after(wire.downAt - world.now, () => this.#wire === wire && arrive(), this.#process);
  }

  #open(): void {
    const connect = () => {
      if (!this.isOpen) return;
      if (this.#world.network.isUp) return this.#connected();
      this.#lose('ECONNREFUSED');
      this.#openLater();
    };
    this.#world.after(2 * this.#world.latency(), connect, this.#process);
  }

  #openLater(): void {
    const wait = this.options.socket.reconnectStrategy(this.#retries++);
    this.#world.after(wait, () => this.#open(), this.#process);
  }

  #connected(): void {
    const { now } = this.#world;
    const push = (channel: string, message: string) =>
      this.#down(wire, () => {
        for (const heard of this.#listeners.get(channel)?.all ?? []) heard(message);
      });
    const wire: Wire = { channels: new Set(), push, upAt: now, downAt: now, cutAt: Infinity };
    this.#wire = wire;
    this.#world.network.redis.subscribers.add(wire);
    const channels = this.channels;
    const ready = () => {
      this.#isReady = true;
      this.#retries = 0;
      for (const handler of this.#handlers['ready'] ?? []) handler();
    };
    const send = () => channels.forEach((each) => wire.channels.add(each));
    this.#transmit({ send, resolve: ready, reject: () => {} }, wire);
    for (const pending of this.#queued.splice(0)) this.#transmit(pending, wire);
  }

  #lose(reason: string): void {
    this.#hangUp();
    const error = new Error(reason);
    for (const { reject } of [...this.#waiting.splice(0), ...this.#queued.splice(0)]) reject(error);
    if (this.isOpen) for (const handler of this.#handlers['error'] ?? []) handler(error);
  }

  #hangUp(): void {
    const wire = this.#wire;
    if (!wire) return;
    this.#wire = undefined;
    this.#isReady = false;
    // Of what is under way, the first part may still arrive.
    wire.cutAt = this.#world.now + this.#world.random.pick([0, 2, 20]);
    this.#world.network.redis.subscribers.delete(wire);
  }
}
