import { unref } from '@mcp/kit';
import type { Runtime } from '../../server/runtime.ts';
import type { Caller } from '../../define/caller.ts';
import { clientOf } from '../shares/client-key.ts';
import { makeRoom } from '../shares/make-room.ts';
import { Session, type SessionOptions } from './session.ts';

/** The sessions of one endpoint, with a maximum for each client and a maximum for all clients together. */
export class Sessions {
  readonly #runtime: Runtime;
  readonly #options: Pick<SessionOptions, 'limits' | 'warn'>;
  /** The sessions by id, the least recently used first. */
  readonly #sessions = new Map<string, Session>();
  /** Set only while there are sessions: an edge worker may set no timer before its first request. */
  #sweeper: NodeJS.Timeout | undefined;

  constructor(runtime: Runtime, options: Pick<SessionOptions, 'limits' | 'warn'>) {
    this.#runtime = runtime;
    this.#options = options;
  }

  /**
   * Makes a session. At `maxSessionsPerClient`, ends an idle session of this client first. At `maxSessions`,
   * ends an idle session of this client or, if there is none, of a client with more than its share, which is
   * `maxSessions` divided by the number of clients. Returns undefined if no such session is idle.
   */
  make(caller: Caller | undefined, address: string | undefined): Session | undefined {
    const client = clientOf(caller, address);
    const end = (session: Session) => void this.end(session);
    if (!makeRoom(client, [...this.#sessions.values()], this.#options.limits, end)) return undefined;
    const session = new Session(this.#runtime, { ...this.#options, principal: caller?.principal, client });
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
    const intervalMs = Math.min(this.#options.limits.sessionIdleMs, 60_000);
    this.#sweeper = unref(setInterval(() => this.#sweep(), intervalMs));
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
