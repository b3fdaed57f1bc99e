import { type SharedStore, StoreUnavailable } from '../../../state/shared-store.ts';
import type { EndedSessions } from '../ended-sessions.ts';
import { ProcessLease } from '../../../state/process-lease.ts';
import { retried } from '../../../state/retried.ts';
import { envelopeIn, type SessionNews } from './session-news.ts';

/** A session that this process has in its memory. */
export interface HearsNews {
  /** `isOwn` for news of this process; it hears only that it is listening, in the order of all processes. */
  heard(news: SessionNews, isOwn: boolean): void;
  /** Called when news may have been missed. */
  lostNews(): void;
}

/** The channel on which all processes tell each other what changes in a session. */
const channel = 'sessions';
/** The maximum number of sessions of which this process knows that they go on. */
const maxAlive = 100_000;
/** After a failure of the store, processes store what they have sent within this time, in milliseconds. */
const settleMs = 10_000;

/** What the processes of one endpoint share of its sessions. */
export class SharedSessions implements EndedSessions {
  readonly store: SharedStore;
  readonly lease: ProcessLease;
  readonly #sessions = new Map<string, HearsNews>();
  /** Sessions that had not ended when this process asked. The others would tell it of their end. */
  readonly #alive = new Set<string>();
  /** Changes when a session may have ended. */
  #ends = 0;
  #isListening = false;
  #renewedAt = -Infinity;
  readonly #closed = new AbortController();

  constructor(store: SharedStore, leaseMs: number) {
    this.store = store;
    this.lease = new ProcessLease(store.leases, leaseMs);
  }

  enter(key: string, session: HearsNews): void {
    this.#sessions.set(key, session);
    if (this.#isListening) return;
    this.#isListening = true;
    void this.#listen();
  }

  leave(key: string, session: HearsNews): void {
    if (this.#sessions.get(key) === session) this.#sessions.delete(key);
  }

  async tell(session: string, news: SessionNews): Promise<void> {
    await this.store.bus.publish(channel, JSON.stringify({ session, from: this.lease.id, news }));
  }

  async add(key: string, expiresAt: number): Promise<void> {
    const lifetime = { ttlMs: Math.max(1, expiresAt - Date.now()) };
    // If this fails, the store may have it nevertheless.
    await this.store.state.set(endedKey(key), true, lifetime).finally(() => this.#forget(key));
    await this.tell(key, { kind: 'ended' });
  }

  /** Whether a session has ended. While the store cannot be reached, no session counts as ended. */
  has(key: string): boolean | Promise<boolean> {
    return !this.#alive.has(key) && this.#askWhetherEnded(key);
  }

  /**
   * Called for what the store does not have. Throws a `StoreUnavailable` for some time after a failure of the
   * store, when another process may still store what it has sent in the meantime.
   */
  refuseIfEarly(): void {
    if (performance.now() - this.#renewedAt < settleMs)
      throw new StoreUnavailable('The store does not have everything yet, after its failure');
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.lease.close();
  }

  async #askWhetherEnded(key: string): Promise<boolean> {
    const ends = this.#ends;
    try {
      if ((await this.store.state.get(endedKey(key))) !== undefined) {
        // The process that has stored it may have failed before it told the others.
        void this.tell(key, { kind: 'ended' }).catch(() => undefined);
        return true;
      }
    } catch {
      return false;
    }
    // The news of its end may be here before the answer from the time before it.
    if (ends === this.#ends) this.#alive.add(key);
    const [oldest] = this.#alive;
    if (this.#alive.size > maxAlive) this.#alive.delete(oldest!);
    return false;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closed;
    const lost = () => {
      this.#renewedAt = performance.now();
      this.#lost();
    };
    const heard = (message: string) => this.#hear(message);
    const stop = await retried(() => this.store.bus.subscribe(channel, heard, lost), signal);
    if (!stop) return;
    signal.addEventListener('abort', () => void stop());
    this.#lost();
  }

  #hear(message: string): void {
    const { session, from, news } = envelopeIn(message);
    const isOwn = from === this.lease.id;
    if (isOwn && news.kind !== 'listening') return;
    if (news.kind === 'ended') this.#forget(session);
    this.#sessions.get(session)?.heard(news, isOwn);
  }

  #forget(key: string): void {
    this.#ends++;
    this.#alive.delete(key);
  }

  #lost(): void {
    this.#ends++;
    this.#alive.clear();
    for (const session of this.#sessions.values()) session.lostNews();
  }
}

function endedKey(key: string): string {
  return `ended ${key}`;
}
