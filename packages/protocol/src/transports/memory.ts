import type { Channel, Receiver } from '../jsonrpc/channel.ts';

/** The two ends of a channel within one process, for tests and for embedding. */
export function memoryChannels(): [Channel, Channel] {
  const first = new MemoryChannel();
  const second = new MemoryChannel();
  first.other = second;
  second.other = first;
  return [first, second];
}

class MemoryChannel implements Channel {
  other: MemoryChannel | undefined;
  #receiver: Receiver | undefined;
  #inbox: string[] = [];
  #otherEnded = false;
  #closed = false;
  #held = false;
  #delivering = false;
  #waiting: (() => void)[] = [];

  open(receiver: Receiver): void {
    this.#receiver = receiver;
    void this.#deliver();
  }

  send(text: string): void {
    if (!this.#closed) this.other?.take(text);
  }

  take(text: string): void {
    this.#inbox.push(text);
    void this.#deliver();
  }

  get congested(): boolean {
    return !this.#closed && (this.other?.backlog ?? 0) > 1_000;
  }

  get backlog(): number {
    return this.#inbox.length;
  }

  drained(): Promise<void> {
    if (!this.congested) return Promise.resolve();
    return new Promise((resolve) => this.other?.onceRead(resolve));
  }

  onceRead(read: () => void): void {
    this.#waiting.push(read);
  }

  hold(held: boolean): void {
    this.#held = held;
    void this.#deliver();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#letGo();
    this.other?.end();
    await Promise.resolve();
  }

  end(): void {
    this.#otherEnded = true;
    void this.#deliver();
  }

  // Messages arrive asynchronously, as they would from a pipe.
  async #deliver(): Promise<void> {
    if (this.#delivering || this.#held || !this.#receiver) return;
    this.#delivering = true;
    await Promise.resolve();
    while (this.#inbox.length > 0 && !this.#held) {
      const [text] = this.#inbox.splice(0, 1);
      if (text !== undefined) this.#receiver.message(text);
    }
    this.#delivering = false;
    if (this.#inbox.length === 0) {
      this.#letGo();
      if (this.#otherEnded) {
        this.#otherEnded = false;
        this.#receiver.ended();
      }
    }
  }

  #letGo(): void {
    for (const read of this.#waiting.splice(0)) read();
  }
}
