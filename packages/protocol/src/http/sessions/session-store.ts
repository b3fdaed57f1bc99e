import type { Runtime } from '../../server/runtime.ts';
import type { Grant } from '../security/authorization.ts';
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
   * A session that is not kept until {@link keep}; undefined if a limit is reached and no session can be
   * ended for it: those of this client, and with `maxSessions` those of clients above their share, are all in
   * use.
   */
  make(grant: Grant | undefined, address: string | undefined): Session | undefined {
    const { maxSessions, maxSessionsPerClient } = this.#options.limits;
    const client = clientOf(grant, address);
    const own = this.#of(client);
    if (client !== local && own.length >= maxSessionsPerClient && !this.#evict(own)) return undefined;
    const isFull = this.#sessions.size >= maxSessions;
    if (isFull && !this.#evict(own) && !this.#evictOverShare(client)) return undefined;
    return new Session(this.#runtime, { ...this.#options, principal: grant?.principal, client });
  }

  #of(client: string): readonly Session[] {
    return [...this.#sessions.values()].filter((session) => session.client === client);
  }

  /**
   * Ends a session of a client that has more than an equal share of `maxSessions`, the client with the most
   * sessions first; `client` counts as one of the clients. False if all these sessions are in use.
   */
  #evictOverShare(client: string): boolean {
    const counts = new Map([[client, 0]]);
    for (const each of this.#sessions.values()) counts.set(each.client, (counts.get(each.client) ?? 0) + 1);
    const share = this.#options.limits.maxSessions / counts.size;
    return [...counts]
      .filter(([, count]) => count > share)
      .toSorted(([, a], [, b]) => b - a)
      .some(([each]) => this.#evict(this.#of(each)));
  }

  keep(session: Session): void {
    this.#sessions.set(session.id, session);
    if (this.#sweeper) return;
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(this.#options.limits.sessionIdleMs, 60_000));
    unref(this.#sweeper);
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
   * Ends the session among these with the longest idle time. A session that was never used after its
   * handshake counts as idle for longer, so that a client which opens many does not end those in use.
   * False if all are busy.
   */
  #evict(sessions: readonly Session[]): boolean {
    const idleSince = ({ used, lastUsed }: Session) => (used ? lastUsed : lastUsed - unusedMs);
    const [first, ...others] = sessions.filter(({ idle }) => idle);
    if (!first) return false;
    void this.end(others.reduce((found, each) => (idleSince(each) < idleSince(found) ? each : found), first));
    return true;
  }
}

/** Milliseconds added to the idle time of a session that was never used. */
const unusedMs = 60_000;

/** The client of sessions on the loopback without a principal: all clients there have the same address. */
const local = 'local';
const loopback = /^(?:::ffff:)?127\.|^::1$/;

/** The key under which sessions are counted. Clients that share a token are told apart by their addresses. */
function clientOf(grant: Grant | undefined, address: string | undefined): string {
  const at = address === undefined || loopback.test(address) ? local : address;
  return grant && !grant.shared ? JSON.stringify([grant.principal, at]) : at;
}
