import type { Runtime } from '../../server/runtime.ts';
import type { Grant } from '../security/authorization.ts';
import { clientOf } from '../shares/client-key.ts';
import { makeRoom } from '../shares/make-room.ts';
import { Session, type SessionOptions } from './session.ts';
import { unref } from '../../platform/unref.ts';

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
   * A new session; undefined if a limit is reached and no session can be ended for it: those of this client,
   * and with `maxSessions` those of clients above their share, are all in use.
   */
  make(grant: Grant | undefined, address: string | undefined): Session | undefined {
    const client = clientOf(grant, address);
    const end = (session: Session) => void this.end(session);
    if (!makeRoom(client, [...this.#sessions.values()], this.#options.limits, end)) return undefined;
    const session = new Session(this.#runtime, { ...this.#options, principal: grant?.principal, client });
    this.#sessions.set(session.id, session);
    this.#startSweeping();
    return session;
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

  #startSweeping(): void {
    if (this.#sweeper) return;
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(this.#options.limits.sessionIdleMs, 60_000));
    unref(this.#sweeper);
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
}
