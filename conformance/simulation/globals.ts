import { epoch } from './clock.ts';
import type { Scheduled } from './events.ts';
import type { World } from './world.ts';

let world: World;

/** The world in which the code runs that is called now. */
export function worldNow(): World {
  return world;
}

/** Gives all code the clock, the timers and the random values of a world. */
export function enter(entered: World): void {
  world = entered;
}

class Timer {
  readonly run: () => void;
  #next: Scheduled;

  constructor(ms: number, run: () => void, repeats: boolean) {
    const wait = Math.max(1, ms);
    const fire = () => {
      if (repeats) this.#next = world.after(wait, fire);
      run();
    };
    this.run = run;
    this.#next = world.after(wait, fire);
  }

  unref(): this {
    return this;
  }

  stop(): void {
    this.#next.cancelled = true;
  }
}

/** Replaces what code takes from the runtime, for the rest of this process. */
export function replaceGlobals(): void {
  const RealDate = Date;
  const now = () => epoch + Math.floor(world.now);
  class VirtualDate extends RealDate {
    constructor(...given: [] | [string | number]) {
      if (given.length === 0) super(now());
      else super(given[0]);
    }

    static override now(): number {
      return now();
    }
  }
  const stop = (timer: Timer | undefined) => timer?.stop();
  const replaced = {
    Date: VirtualDate,
    performance: { now: () => world.now },
    crypto: { randomUUID, getRandomValues, subtle },
    setTimeout: (run: () => void, ms = 0) => new Timer(ms, run, false),
    setInterval: (run: () => void, ms = 0) => new Timer(ms, run, true),
    setImmediate: (run: () => void) => world.after(0, run),
    clearTimeout: stop,
    clearInterval: stop,
  };
  for (const [name, value] of Object.entries(replaced))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  Math.random = () => world.random.between(0, 1e6 - 1) / 1e6;
}

function hex(length: number): string {
  return world.random
    .between(0, 2 ** 32 - 1)
    .toString(16)
    .padStart(8, '0')
    .slice(0, length);
}

function randomUUID(): string {
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${world.nextId().toString(16).padStart(12, '0')}`;
}

function getRandomValues(bytes: Uint8Array): Uint8Array {
  for (let index = 0; index < bytes.length; index++) bytes[index] = world.random.between(0, 255);
  // What is random in a world is different in it each time.
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, world.nextId());
  return bytes;
}

/** Sums in place of secrets: what is sealed in one context does not open in another. */
const subtle = {
  importKey: async (_form: string, bytes: ArrayBuffer | Uint8Array) => sumOf(new Uint8Array(bytes)),
  deriveBits: async (_derivation: object, key: number) => Uint8Array.from({ length: 64 }, () => key).buffer,
  sign: async (_name: string, key: number, bytes: Uint8Array) =>
    Uint8Array.from({ length: 32 }, (_, index) => sumOf(bytes) >>> (8 * (index % 4) + (key & 1))).buffer,
  digest: async (_name: string, bytes: Uint8Array) => Uint8Array.of(...tagOf(bytes, bytes, 1, bytes)).buffer,
  encrypt: async ({ iv, additionalData }: Sealing, key: number, bytes: Uint8Array) =>
    Uint8Array.of(...tagOf(iv, additionalData, key, bytes), ...bytes).buffer,
  async decrypt({ iv, additionalData }: Sealing, key: number, sealed: Uint8Array) {
    const bytes = sealed.slice(4);
    const tag = tagOf(iv, additionalData, key, bytes);
    if (tag.some((byte, index) => byte !== sealed[index])) throw new Error('The tag is wrong');
    return bytes.buffer;
  },
};

interface Sealing {
  readonly iv: Uint8Array;
  readonly additionalData: Uint8Array;
}

function tagOf(iv: Uint8Array, context: Uint8Array, key: number, bytes: Uint8Array): readonly number[] {
  const sum = (sumOf(iv) ^ sumOf(context) ^ key ^ sumOf(bytes)) >>> 0;
  return [sum >>> 24, (sum >>> 16) & 255, (sum >>> 8) & 255, sum & 255];
}

/** FNV-1a. */
function sumOf(bytes: Uint8Array): number {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}
