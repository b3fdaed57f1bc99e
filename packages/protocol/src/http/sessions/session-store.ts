import { unref } from '@mcp/kit';
import type { Caller, Sender } from '../../define/caller.ts';
import type { Handshake } from '../../server/connection/handshake.ts';
import type { Runtime } from '../../server/runtime.ts';
import { clientOf } from '../shares/client-key.ts';
import { makeRoom } from '../shares/make-room.ts';
import { EndedInMemory, type EndedSessions } from './ended-sessions.ts';
import { Session, type SessionOptions } from './session.ts';
import { sealedSession, type SessionSeal } from './session-seal.ts';
import type { SharedSessions } from './shared/shared-sessions.ts';

interface SessionsOptions extends Pick<SessionOptions, 'limits' | 'warn'> {
  /** Seals the ids. Default: the ids are random, and a session lives in this process. */
  readonly seal?: SessionSeal | undefined;
  /** Default: in the memory of this process. */
  readonly ended?: EndedSessions | undefined;
  /** What other processes have of the sessions. Default: each process is alone. */
  readonly shared?: SharedSessions | undefined;
}

type Identity = Pick<SessionOptions, 'id' | 'sealed'>;

/** A request in a session. */
export interface OpenRequest {
  readonly id: string;
  readonly sender: Sender;
  readonly address: string | undefined;
}

/** The sessions of one endpoint, with a maximum for each client and a maximum for all clients together. */
export class Sessions {
  readonly #runtime: Runtime;
  readonly #options: SessionsOptions;
  readonly #seal: SessionSeal | undefined;
  readonly #ended: EndedSessions;
  readonly #shared: SharedSessions | undefined;
  /** The sessions by id, the least recently used first. */
  readonly #sessions = new Map<string, Session>();
  /** Set only while there are sessions: an edge worker may set no timer before its first request. */
  #sweeper: NodeJS.Timeout | undefined;

  constructor(
    runtime: Runtime,
    { seal, shared, ended = shared ?? new EndedInMemory(), ...options }: SessionsOptions,
  ) {
    this.#runtime = runtime;
    this.#options = options;
    this.#seal = seal;
    this.#ended = ended;
    this.#shared = shared;
  }

  /**
   * The identity of a new session. Throws an `RpcError` if the handshake is too long for a sealed id. Without
   * a handshake, the id is random.
   */
  async identify(handshake: Handshake | undefined, principal: string | undefined): Promise<Identity> {
    const sealed = this.#seal && handshake && sealedSession(handshake);
    const id = sealed && (await this.#seal?.seal(sealed, principal));
    return id === undefined ? { id: crypto.randomUUID() } : { id, sealed };
  }

  /**
   * Makes a session. At `maxSessionsPerClient`, ends an idle session of this client first. At `maxSessions`,
   * ends an idle session of this client or, if there is none, of a client with more than its share, which is
   * `maxSessions` divided by the number of clients; of any client, if ids are sealed, because the session can
   * be opened again. Returns undefined if no such session is idle.
   */
  make(
    { id, sealed }: Identity,
    caller: Caller | undefined,
    address: string | undefined,
  ): Session | undefined {
    const client = clientOf(caller, address);
    const end = (session: Session) => void this.end(session);
    const { limits, warn } = this.#options;
    if (!makeRoom(client, [...this.#sessions.values()], limits, end, this.#seal !== undefined))
      return undefined;
    const shared =
      sealed && this.#shared && this.#seal
        ? { sessions: this.#shared, expiresAt: this.#seal.expiryOf(sealed), ended: end }
        : undefined;
    const options = { id, sealed, limits, warn, principal: caller?.principal, client, shared };
    const session = new Session(this.#runtime, options);
    this.#sessions.set(id, session);
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

  /** The number of sessions in the memory. */
  get size(): number {
    return this.#sessions.size;
  }

  /** The number of resources to which their clients are subscribed. */
  get subscriptions(): number {
    return [...this.#sessions.values()].reduce((sum, session) => sum + session.subscriptions, 0);
  }

  /** Whether this process opens ids that another process has made. */
  get opens(): boolean {
    return this.#seal !== undefined;
  }

  /**
   * Calls `use` with a session that has a sealed id, and that this process may not have in its memory; at
   * once, because the session is idle, and may have to make room for another one. Returns undefined for an id
   * that is not valid for this principal now, and `full` if there is no room for the session.
   */
  async open<Used>(
    { id, sender, address }: OpenRequest,
    use: (session: Session) => Used,
  ): Promise<Awaited<Used> | 'full' | undefined> {
    const principal = sender.caller?.principal;
    const held = this.#sessions.get(id);
    const sealed = held && held.principal === principal ? held.sealed : await this.#seal?.open(id, principal);
    if (!sealed) return undefined;
    const isExpired = this.#seal?.isExpired(sealed) ?? false;
    const isOver = isExpired || (await this.#ended.has(sealed.key));
    // Another request may have opened it, or ended it, in the meantime.
    const found = this.find(id, principal);
    if (isOver) {
      // Requests that began before the id expired are answered.
      if (found && !(isExpired && found.running > 0)) await this.end(found);
      return undefined;
    }
    const session = found ?? this.make({ id, sealed }, sender.caller, address);
    if (!session) return 'full';
    if (found) return await use(session);
    session.reopen(sealed.handshake, { ...sender, sessionId: id });
    if (this.#shared) await session.restored();
    return await use(session);
  }

  /** Ends a session for good, at the request of its client. */
  async finish(session: Session): Promise<void> {
    const { sealed } = session;
    if (sealed && this.#seal) await this.#ended.add(sealed.key, this.#seal.expiryOf(sealed));
    await this.end(session);
  }

  /** Removes a session from the memory. One with a sealed id can be opened again. */
  async end(session: Session): Promise<void> {
    this.#sessions.delete(session.id);
    await session.close();
  }

  async close(graceMs: number): Promise<void> {
    this.#stopSweeping();
    await Promise.all([...this.#sessions.values()].map((session) => session.close(graceMs)));
    this.#sessions.clear();
    await this.#shared?.close();
  }

  #startSweeping(): void {
    if (this.#sweeper) return;
    const intervalMs = Math.min(this.#options.limits.sessionIdleMs, 60_000);
    this.#sweeper = unref(setInterval(() => this.#sweep(), intervalMs));
  }

  #sweep(): void {
    const oldest = Date.now() - this.#options.limits.sessionIdleMs;
    for (const session of this.#sessions.values()) {
      const isExpired = session.sealed && this.#seal?.isExpired(session.sealed);
      if (isExpired ? session.running === 0 : session.lastUsed < oldest && session.idle)
        void this.end(session);
    }
    if (this.#sessions.size === 0) this.#stopSweeping();
  }

  #stopSweeping(): void {
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}
