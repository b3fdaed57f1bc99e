import { unref } from '@mcp/kit';
import type { Caller } from '../../define/caller.ts';
import type { EventStream } from '../wire/event-stream.ts';
import { isInvalidProof } from './verify.ts';

/** A token that was valid when its request came. */
export interface Access {
  readonly caller: Caller;
  /** Verifies the token again. */
  verifyAgain(): Promise<Caller | undefined>;
}

interface StreamTokenOptions {
  /** The interval of the checks in milliseconds. */
  readonly recheckMs: number;
  /** Whether the client waits for the answer to a request on this stream. */
  readonly isAnswering: () => boolean;
  /** Called with the reason why the token cannot be verified now. */
  readonly failed: (error: unknown) => void;
}

/** The checks that may fail in a row while a client listens. */
const maxFailures = 4;

/**
 * The token of an open stream, which is verified again and again. The stream ends if the token is not valid
 * any more. If the token has only expired, or cannot be verified, a request that is being answered goes on.
 */
export class StreamToken {
  readonly #events: EventStream;
  readonly #options: StreamTokenOptions;
  #access: Access;
  #pending: Access | undefined;
  #failures = 0;

  constructor(events: EventStream, access: Access, options: StreamTokenOptions) {
    this.#events = events;
    this.#access = access;
    this.#options = options;
    const timer = unref(setInterval(() => void this.#check(), options.recheckMs));
    events.whenClosed(() => clearInterval(timer));
  }

  /** Continues with the token of a later request. */
  renew(access: Access): void {
    this.#access = access;
    this.#failures = 0;
  }

  async #check(): Promise<void> {
    const access = this.#access;
    if (Date.now() >= (access.caller.expiresAt ?? Infinity)) return this.#endUnlessAnswering();
    if (this.#pending === access) return this.#fail(new Error('`verify` has not returned'));
    this.#pending = access;
    try {
      const caller = await access.verifyAgain();
      // A later request may have come with another token in the meantime.
      if (access !== this.#access) return;
      if (!caller || !hasAllOf(caller, access.caller)) return this.#events.end();
      this.#failures = 0;
      if (hasAllOf(access.caller, caller)) return;
      this.#access = { ...access, caller };
      this.#events.renewed?.(caller);
    } catch (error) {
      if (access !== this.#access) return;
      if (isInvalidProof(error)) this.#events.end();
      else this.#fail(error);
    } finally {
      if (this.#pending === access) this.#pending = undefined;
    }
  }

  #fail(error: unknown): void {
    this.#options.failed(error);
    if (++this.#failures >= maxFailures) this.#endUnlessAnswering();
  }

  #endUnlessAnswering(): void {
    if (!this.#options.isAnswering()) this.#events.end();
  }
}

function hasAllOf(caller: Caller, before: Caller): boolean {
  const { principal, scopes = [] } = before;
  return caller.principal === principal && scopes.every((scope) => caller.scopes?.includes(scope));
}
