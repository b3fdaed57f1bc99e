import { isObject } from '@mcp/kit';
import { invalidRequest } from '../../jsonrpc/error.ts';
import { errorText, type Message, type Request } from '../../jsonrpc/message.ts';
import type { Revision } from '../../revisions/revision.ts';
import { modern } from '../../revisions/table.ts';
import { standsAlone } from './request-meta.ts';
import type { Outlet } from '../call/outlet.ts';

/**
 * If the responses of a batch have more characters than this, they are sent singly; revision 2025-03-26
 * allows this.
 */
const maxTogether = 16 * 1024 * 1024;

/**
 * Calls `receive` for each message of a batch and sends their responses as one array. `texts` are the JSON
 * texts of the messages; only a proxy needs them.
 */
export function receiveBatch(
  messages: readonly Message[],
  texts: readonly (string | undefined)[],
  outlet: Outlet,
  revision: Revision | undefined,
  receive: (message: Message, outlet: Outlet) => void,
): void {
  const problem = batchProblem(messages.length, revision);
  if (problem !== undefined) {
    const error = { code: invalidRequest, message: problem };
    return outlet.respond(errorText(undefined, error), invalidRequest);
  }
  const batch = new BatchOutlet(outlet);
  for (const [index, message] of messages.entries()) {
    if (message.kind === 'request' || message.kind === 'invalid') batch.expect();
    const misplaced = message.kind === 'request' && outsideBatches(message.request);
    if (misplaced) {
      const error = { code: invalidRequest, message: `${misplaced} must not be part of a batch` };
      batch.respond(errorText(message.request.id, error));
    } else {
      receive(message.kind === 'request' ? { ...message, text: texts[index] } : message, batch);
    }
  }
  batch.end();
}

/** Collects the responses of one batch and sends them as one array (revision 2025-03-26). */
class BatchOutlet implements Outlet {
  readonly #outlet: Outlet;
  #responses: string[] = [];
  #characters = 0;
  #apart = false;
  #open = 1;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  /** Counts one more request of the batch. A call of `respond` or `abandon` ends the request. */
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

  /** Called when all messages of the batch have been received: the last response now sends the array. */
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

/** The maximum number of messages in one batch; all of them run at once. */
const maxBatch = 1_000;

export const noBatches = 'Send one message at a time, not an array of them';

/** The reason to refuse a batch of this many messages; undefined if the batch is accepted. */
function batchProblem(length: number, revision: Revision | undefined): string | undefined {
  if (!revision?.batches) return noBatches;
  if (length === 0) return 'A batch must have at least one message';
  return length > maxBatch ? `A batch may have at most ${maxBatch} messages` : undefined;
}

/** The name, for an error, of a request that must not be part of a batch; undefined for other requests. */
function outsideBatches({ method, params }: Request): string | undefined {
  if (method === 'initialize') return method;
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) && standsAlone(meta) ? `A request of protocol version ${modern.version}` : undefined;
}
