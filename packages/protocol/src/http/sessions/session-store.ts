import type { Runtime } from '../../server/runtime.ts';
import { Session, type SessionOptions } from './session.ts';

/** The sessions of one endpoint, up to a number for each client and for all. */
export class Sessions {
  readonly #runtime: Runtime;
  readonly #options: Pick<SessionOptions, 'limits' | 'warn'>;
  /** In the order of their last use. */
  readonly #sessions = new Map<string, Session>();
  /** Runs while there are sessions: a worker may set no timer before its first request. */
  #sweeper: NodeJS.Timeout | undefined;

  constructor(runtime: Runtime, options: Pick<SessionOptions, 'limits' | 'warn'>) {
    this.#runtime = runtime;
    this.#options = options;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /**
   * A session that is not kept until {@link keep}; undefined when there is no room for one of this client's.
   */
  make(principal: string | undefined, address: string | undefined): Session | undefined {
    const { maxSessions, maxSessionsPerClient } = this.#options.limits;
    const client = clientOf(principal, address);
    const own = client === undefined ? [] : this.#of(client);
    if (own.length >= maxSessionsPerClient && !this.#evict(own)) return undefined;
    if (this.#sessions.size >= maxSessions && !this.#evict(this.#sessions.values())) return undefined;
    return new Session(this.#runtime, { ...this.#options, principal, client });
  }

  #of(client: string): readonly Session[] {
    return [...this.#sessions.values()].filter((session) => session.client === client);
  }

  keep(session: Session): void {
    this.#sessions.set(session.id, session);
    if (this.#sweeper) return;
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(this.#options.limits.sessionIdleMs, 60_000));
    this.#sweeper.unref();
  }

  /** A session of this principal; undefined for an unknown id, and for a session of another principal. */
  find(id: string, principal: string | undefined): Session | undefined {
    const session = this.#sessions.get(id);
    if (!session || session.principal !== principal) return undefined;
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  async end(session: Session): Promise<void> {
    this.#sessions.delete(session.id);
    await session.close();
  }

  async close(graceMs: number): Promise<void> {
    this.#stopSweeping();
    await Promise.all([...this.#sessions.values()].map((session) => session.close(graceMs)));
    this.#sessions.clear();
  }

  #sweep(): void {
    const oldest = Date.now() - this.#options.limits.sessionIdleMs;
    for (const session of this.#sessions.values()) {
      if (session.lastUsed < oldest && session.idle) void this.end(session);
    }
    if (this.#sessions.size === 0) this.#stopSweeping();
  }

  #stopSweeping(): void {
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  /**
   * Ends the first of these sessions that was never used after its handshake, so that a client which opens
   * many cannot end those that are in use. False where there is none.
   */
  #evict(sessions: Iterable<Session>): boolean {
    for (const session of sessions) {
      if (session.used || !session.idle) continue;
      void this.end(session);
      return true;
    }
    return false;
  }
}

const loopback = /^(?:::ffff:)?127\.|^::1$/;

/**
 * The key under which sessions are counted; undefined on the loopback, where all clients have the same
 * address.
 */
function clientOf(principal: string | undefined, address: string | undefined): string | undefined {
  if (principal !== undefined) return `principal ${principal}`;
  return address === undefined || loopback.test(address) ? undefined : `address ${address}`;
}
