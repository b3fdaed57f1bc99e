import { isObject, type Request } from '../../jsonrpc/message.ts';
import type { Revision } from '../../revisions/revision.ts';
import { modern } from '../../revisions/table.ts';
import { standsAlone } from './request-meta.ts';
import type { Outlet } from '../call/outlet.ts';

/** Above this many characters responses are sent one by one, which the revision also allows. */
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

  /** Adds a request of the batch; it ends with `respond` or `abandon`. */
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

  /** All messages of the batch have been received. */
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

/** Maximum number of messages in one batch: they all run concurrently. */
const maxBatch = 1_000;

export const noBatches = 'Send one message at a time, not an array of them';

/** The reason to refuse a batch of this many messages; undefined for one that is accepted. */
export function batchProblem(length: number, revision: Revision | undefined): string | undefined {
  if (!revision?.batches) return noBatches;
  if (length === 0) return 'A batch must have at least one message';
  return length > maxBatch ? `A batch may have at most ${maxBatch} messages` : undefined;
}

/** The name in errors of a request that cannot be answered within a batch. */
export function outsideBatches({ method, params }: Request): string | undefined {
  if (method === 'initialize') return method;
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) && standsAlone(meta) ? `A request of protocol version ${modern.version}` : undefined;
}
