import type { Runtime } from '../../server/runtime.ts';
import { Session, type SessionOptions } from './session.ts';

/** The conversations of one endpoint: no more than a cap, and none that everybody has forgotten. */
export class Sessions {
  readonly #runtime: Runtime;
  readonly #options: Omit<SessionOptions, 'principal'>;
  readonly #sessions = new Map<string, Session>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(runtime: Runtime, options: Omit<SessionOptions, 'principal'>) {
    this.#runtime = runtime;
    this.#options = options;
    const { sessionIdleMs } = options.limits;
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(sessionIdleMs, 60_000));
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** A session that is not kept until {@link keep}; undefined when there is no room. */
  make(principal: string | undefined): Session | undefined {
    if (this.#sessions.size >= this.#options.limits.maxSessions && !this.#evict()) return undefined;
    return new Session(this.#runtime, { ...this.#options, principal });
  }

  keep(session: Session): void {
    this.#sessions.set(session.id, session);
  }

  /** A session of this client's; others' are as unknown as those that never were. */
  find(id: string, principal: string | undefined): Session | undefined {
    const session = this.#sessions.get(id);
    if (!session || session.principal !== principal) return undefined;
    // The map keeps the order of use.
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  async end(session: Session): Promise<void> {
    this.#sessions.delete(session.id);
    await session.close();
  }

  async close(graceMs: number): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#sessions.values()].map((session) => session.close(graceMs)));
    this.#sessions.clear();
  }

  #sweep(): void {
    const oldest = Date.now() - this.#options.limits.sessionIdleMs;
    for (const session of this.#sessions.values()) {
      if (session.lastUsed < oldest && session.idle) void this.end(session);
    }
  }

  /** Ends the session that has not been used for the longest time; false when all are at work. */
  #evict(): boolean {
    for (const session of this.#sessions.values()) {
      if (!session.idle) continue;
      void this.end(session);
      return true;
    }
    return false;
  }
}
