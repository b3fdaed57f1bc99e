import type { Channel, Connector, Receiver } from '@mcp/protocol/client';

/** What a worker sends: a message of the server, that it is ready, or why it cannot serve. */
type FromWorker = string | { readonly ready: true } | { readonly failed: string };

/** Runs a compiled program in a worker of its own, and opens channels to its server. */
export function workerConnector(name: string, code: string, base: string): Connector {
  return { name, open: () => new WorkerChannel(code, base) };
}

class WorkerChannel implements Channel {
  readonly congested = false;
  readonly #worker: Worker;
  readonly #unsent: string[] = [];
  #isReady = false;

  constructor(code: string, base: string) {
    // A worker from a blob has the policy of the page, so that it cannot send anything anywhere.
    const start = `import { run } from ${JSON.stringify(new URL('stdio.js', base).href)};run(${JSON.stringify(code)});`;
    const url = URL.createObjectURL(new Blob([start], { type: 'text/javascript' }));
    this.#worker = new Worker(url, { type: 'module' });
  }

  open(receiver: Receiver): void {
    this.#worker.addEventListener('error', (event) => {
      event.preventDefault();
      receiver.ended(new Error(event.message || 'The modules of the playground cannot be loaded'));
    });
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if (typeof data === 'string') receiver.message(data);
      else if ('failed' in data) receiver.ended(new Error(data.failed));
      else this.#ready();
    });
  }

  send(text: string): void {
    if (this.#isReady) this.#worker.postMessage(text);
    else this.#unsent.push(text);
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  hold(): void {}

  close(): Promise<void> {
    this.#worker.terminate();
    return Promise.resolve();
  }

  #ready(): void {
    this.#isReady = true;
    for (const text of this.#unsent.splice(0)) this.#worker.postMessage(text);
  }
}
