import type { Outlet } from './outlet.ts';

/** Characters of responses above which they leave one by one, which is allowed as well. */
const maxTogether = 16 * 1024 * 1024;

/** Collects the responses of one batch and sends them as one array (2025-03-26). */
export class BatchOutlet implements Outlet {
  readonly #outlet: Outlet;
  #responses: string[] = [];
  #characters = 0;
  #apart = false;
  #open = 1;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  /** One more request of the batch will end in `respond` or `abandon`. */
  expect(): void {
    this.#open++;
  }

  respond(text: string): void {
    this.#responses.push(text);
    this.#characters += text.length;
    if (this.#apart || this.#characters > maxTogether) this.#sendApart();
    this.#settle();
  }

  #sendApart(): void {
    this.#apart = true;
    for (const response of this.#responses) this.#outlet.respond(response);
    this.#responses = [];
  }

  abandon(): void {
    this.#settle();
  }

  /** All messages of the batch have been taken. */
  end(): void {
    this.#settle();
  }

  #settle(): void {
    if (--this.#open > 0) return;
    if (this.#responses.length > 0) this.#outlet.respond(`[${this.#responses.join(',')}]`);
    else if (!this.#apart) this.#outlet.abandon();
  }

  notify(text: string): void {
    this.#outlet.notify(text);
  }

  get shared(): boolean {
    return this.#outlet.shared;
  }

  get congested(): boolean {
    return this.#outlet.congested;
  }

  drained(): Promise<void> {
    return this.#outlet.drained();
  }
}
