import type { Server } from '../define/server.ts';
import type { Channel } from '../jsonrpc/channel.ts';
import { errorText } from '../jsonrpc/message.ts';
import { Connection } from './connection/connection.ts';
import type { Outlet } from './call/outlet.ts';
import { Runtime } from './runtime.ts';
import { within } from './with-deadline.ts';

export interface ServeOptions {
  /** Hears what is wrong but has nobody to answer to; nothing by default. */
  readonly warn?: (message: string) => void;
  /** How long requests may take to finish after the client has said its last; 5 seconds unless said otherwise. */
  readonly graceMs?: number;
  /** Requests being answered at once, before the next ones have to wait; 1000 unless said otherwise. */
  readonly maxRunning?: number;
}

export const usualGraceMs = 5_000;
const usualMaxRunning = 1_000;
const maxBegunInATurn = 100;
const patienceMs = 100;

/**
 * Serves one client on one channel, until it ends or `stop` fires; either way what has been asked is
 * answered first. Resolves when the last message has been delivered.
 */
export async function serve(
  server: Server,
  channel: Channel,
  options: ServeOptions & { readonly stop?: AbortSignal } = {},
): Promise<void> {
  const { warn, stop, graceMs = usualGraceMs, maxRunning = usualMaxRunning } = options;
  const door = new Door(channel, maxRunning);
  const connection = new Connection(Runtime.of(server), outletOf(channel), {
    running: (count) => door.regulate(count),
    ...(warn && { warn }),
  });

  await new Promise<void>((resolve) => {
    const ended = () => {
      stop?.removeEventListener('abort', ended);
      resolve();
    };
    stop?.addEventListener('abort', ended);
    channel.open({
      message: (text) => connection.receive(text),
      malformed: (error) => channel.send(errorText(undefined, error)),
      ended,
    });
    if (stop?.aborted) ended();
  });
  door.shut();
  await connection.finish(graceMs);
  // A client that no longer reads must not keep its server alive.
  await within(graceMs, channel.close());
}

/** Lets requests in while there are not too many at work. */
class Door {
  readonly #channel: Channel;
  readonly #max: number;
  #running = 0;
  /** How many of them have been at work for so long that they no longer count. */
  #stuck = 0;
  #begunThisTurn = 0;
  #closed: NodeJS.Timeout | undefined;
  #shut = false;

  constructor(channel: Channel, max: number) {
    this.#channel = channel;
    this.#max = max;
  }

  regulate(running: number): void {
    const begun = running > this.#running;
    this.#running = running;
    if (this.#shut) return;
    if (begun) this.#countBegun();
    this.#stuck = Math.min(this.#stuck, running);
    if (running - this.#stuck >= this.#max) this.#close();
    else if (this.#closed) this.#open();
  }

  // A crowd comes in by and by, so that the first ones' answers can tell whether there is room for more.
  #countBegun(): void {
    if (++this.#begunThisTurn === 1) setImmediate(() => this.#nextTurn());
    if (this.#begunThisTurn === maxBegunInATurn) this.#channel.hold(true);
  }

  #nextTurn(): void {
    const held = this.#begunThisTurn >= maxBegunInATurn;
    this.#begunThisTurn = 0;
    if (held && !this.#closed && !this.#shut) this.#channel.hold(false);
  }

  #close(): void {
    if (this.#closed) return;
    this.#channel.hold(true);
    // Cancellations, answers and pings are behind the door too, and what hangs must not keep them out.
    this.#closed = setTimeout(() => {
      this.#stuck = this.#running;
      this.#open();
    }, patienceMs);
  }

  #open(): void {
    clearTimeout(this.#closed);
    this.#closed = undefined;
    if (this.#begunThisTurn < maxBegunInATurn) this.#channel.hold(false);
  }

  /** Lets nothing in any more. */
  shut(): void {
    this.#shut = true;
    clearTimeout(this.#closed);
    this.#channel.hold(true);
  }
}

function outletOf(channel: Channel): Outlet {
  const send = (text: string) => channel.send(text);
  return {
    respond: send,
    notify: send,
    abandon() {},
    shared: true,
    get congested() {
      return channel.congested;
    },
    drained: () => channel.drained(),
  };
}
