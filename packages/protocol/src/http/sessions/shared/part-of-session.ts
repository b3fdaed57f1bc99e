import type { JsonObject } from '../../../jsonrpc/message.ts';
import type { Connection } from '../../../server/connection/connection.ts';
import type { SealedSession } from '../session-seal.ts';
import { cancelledId, SessionLink } from './session-link.ts';
import type { SessionNews } from './session-news.ts';
import type { HearsNews, SharedSessions } from './shared-sessions.ts';

interface PartOptions {
  readonly shared: SharedSessions;
  readonly sealed: SealedSession;
  readonly expiresAt: number;
  readonly logging: boolean;
  /** Called when the client has ended the session at another process. */
  readonly ended: () => void;
}

/** The part of a session in this process, which follows what changes in the others. */
export class PartOfSession implements HearsNews {
  readonly link: SessionLink;
  readonly #options: PartOptions;
  #connection!: Connection;
  /** Whether another process has the stream for notifications. */
  #isElsewhere = false;
  readonly #waiting: (() => void)[] = [];

  constructor(options: PartOptions) {
    const { shared, sealed, expiresAt } = options;
    this.#options = options;
    this.link = new SessionLink({
      shared,
      key: sealed.key,
      expiresAt,
      settle: (response) => this.#connection.conversation?.requests.settle(response),
    });
  }

  /** Begins with the connection of the session. */
  begin(connection: Connection): void {
    this.#connection = connection;
    this.#options.shared.enter(this.link.key, this);
  }

  /** Whether the client gets its notifications from another process, so that those of this one wait. */
  get elsewhere(): boolean {
    return this.#isElsewhere;
  }

  /** Resolves when the client gets its notifications from this process again. */
  async returned(): Promise<void> {
    if (this.#isElsewhere) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Reads the log level that the client has set at another process. Fails without an effect. */
  async restore(): Promise<void> {
    if (!this.#options.logging) return;
    const level = await this.link.level().catch(() => undefined);
    const { conversation } = this.#connection;
    if (level && conversation) conversation.logLevel = level;
  }

  /** Called when the client opens the stream for notifications here. */
  listen(): void {
    this.#isElsewhere = false;
    for (const resume of this.#waiting.splice(0)) resume();
    this.link.listening = true;
    void this.link.tell({ kind: 'listening' }).catch(() => undefined);
    void this.#subscribe();
  }

  /** Tells the process that runs a request of its cancellation. */
  async cancel(params: unknown): Promise<void> {
    if (!this.#connection.isRunning(cancelledId(params)))
      await this.link.tell({ kind: 'cancelled', params: params as JsonObject }).catch(() => undefined);
  }

  heard(news: SessionNews): void {
    const { conversation } = this.#connection;
    switch (news.kind) {
      case 'level':
        if (conversation) conversation.logLevel = news.level;
        return;
      case 'subscribed':
        return void (this.link.listening && conversation?.follow(news.uri));
      case 'unsubscribed':
        return void conversation?.unfollow(news.uri);
      case 'listening':
        this.#isElsewhere = this.link.listening;
        return;
      case 'cancelled':
        return this.#connection.cancel(news.params);
      case 'ended':
        return this.#options.ended();
    }
  }

  lostNews(): void {
    void this.restore();
    if (this.link.listening) void this.#subscribe();
  }

  close(): void {
    this.#options.shared.leave(this.link.key, this);
    this.link.close();
  }

  /** Follows the resources to which the client is subscribed. If that fails, `lostNews` follows. */
  async #subscribe(): Promise<void> {
    const { conversation } = this.#connection;
    const uris = await this.link.subscriptions().catch(() => []);
    if (conversation) await Promise.all(uris.map((uri) => conversation.follow(uri)));
  }
}
