import { isObject } from '@mcp/kit';
import type { LogLevel } from '../../../define/call.ts';
import { invalidParams, RpcError } from '../../../jsonrpc/error.ts';
import type { Response } from '../../../jsonrpc/message.ts';
import type { ConversationLink } from '../../../server/call/conversation-link.ts';
import type { Table } from '../../../state/shared-store.ts';
import { StreamFollower } from '../../../state/stream-follower.ts';
import type { SessionNews } from './session-news.ts';
import type { SharedSessions } from './shared-sessions.ts';
import { StreamWriter } from '../../../state/stream-writer.ts';

const levelKey = 'level';
const uriPrefix = 'uri ';
/** The id of a question: the prefix of the conversation that asks, and a number. */
const questionId = /^([0-9a-f-]{36}-)\d+$/;

interface LinkOptions {
  readonly shared: SharedSessions;
  /** The key of the session. */
  readonly key: string;
  readonly expiresAt: number;
  /** Takes an answer to a question of this process. */
  readonly settle: (response: Response) => void;
  /** Called when this process has stored a level of log messages, perhaps before or after another process. */
  readonly levelStored: () => void;
}

/** The stream of the answers to questions of this process. */
interface Answers {
  readonly writer: StreamWriter;
  readonly follower: StreamFollower;
}

/** The part of one session that its processes share: what changes after `initialize`. */
export class SessionLink implements ConversationLink {
  listening = false;
  readonly key: string;
  readonly #options: LinkOptions;
  readonly #shared: SharedSessions;
  /** Messages for the stream for notifications that no process has sent yet. */
  readonly #unsent = new Map<string, { readonly text: string; readonly sent: () => void }>();
  #answers: Answers | undefined;

  constructor(options: LinkOptions) {
    this.key = options.key;
    this.#options = options;
    this.#shared = options.shared;
  }

  /** The name of a stream of this session. */
  streamNamed(name: string): string {
    return `${this.key}:${name}`;
  }

  get #table(): Table {
    const { expiresAt } = this.#options;
    return this.#shared.store.table(`session:${this.key}`, Math.max(1, expiresAt - Date.now()));
  }

  tell(news: SessionNews): Promise<void> {
    return this.#shared.tell(this.key, news);
  }

  asks(prefix: string): Promise<void> {
    this.#answers ??= this.#answersOf(prefix);
    return this.#answers.writer.flushed();
  }

  #answersOf(prefix: string): Answers {
    const { store, lease } = this.#shared;
    const name = this.#answersTo(prefix);
    const none = () => {};
    const writer = new StreamWriter({
      streams: store.streams,
      name,
      lease,
      maxLength: Infinity,
      deliver: none,
      ended: none,
    });
    writer.add('');
    const heard = ({ text }: { text: string }) => {
      if (text !== '') this.#options.settle(JSON.parse(text) as Response);
    };
    const follower = new StreamFollower({
      streams: store.streams,
      name,
      place: 0,
      waits: true,
      heard,
      ended: none,
    });
    return { writer, follower };
  }

  send(text: string, sent: () => void): () => void {
    const id = crypto.randomUUID();
    const stop = () => void this.#unsent.delete(id);
    this.#unsent.set(id, { text, sent });
    this.#tellMessage(id, text);
    return stop;
  }

  /** Called when another process has sent a message of this one. */
  messageSent(id: string): void {
    this.#unsent.get(id)?.sent();
    this.#unsent.delete(id);
  }

  /** Called when another process has the stream for notifications now. */
  sendAgain(): void {
    for (const [id, { text }] of this.#unsent) this.#tellMessage(id, text);
  }

  #tellMessage(id: string, text: string): void {
    // If this fails, the message waits until a process has the stream for notifications.
    void this.tell({ kind: 'message', id, text }).catch(() => undefined);
  }

  /** Passes an answer on to the process that asked; returns false if it does not wait for it. */
  async passOn(response: Response): Promise<boolean> {
    const [, prefix] = questionId.exec(String(response.id)) ?? [];
    if (prefix === undefined) return false;
    const { streams } = this.#shared.store;
    const options = { existing: true, ttlMs: Math.max(1, this.#options.expiresAt - Date.now()) };
    return streams.append(this.#answersTo(prefix), [JSON.stringify(response)], options);
  }

  async levelSet(level: LogLevel): Promise<void> {
    await this.#table.set(levelKey, level);
    this.#options.levelStored();
    await this.tell({ kind: 'level' });
  }

  async level(): Promise<LogLevel | undefined> {
    return (await this.#table.get(levelKey)) as LogLevel | undefined;
  }

  async subscribed(uri: string, max: number): Promise<void> {
    const table = this.#table;
    if ((await table.size()) > max)
      throw new RpcError(invalidParams, `At most ${max} resources can be subscribed to at once`);
    await table.set(uriPrefix + uri, '');
    await this.tell({ kind: 'subscribed', uri });
  }

  async unsubscribed(uri: string): Promise<void> {
    await this.#table.delete(uriPrefix + uri);
    await this.tell({ kind: 'unsubscribed', uri });
  }

  /** The resources to which the client is subscribed. */
  async subscriptions(): Promise<readonly string[]> {
    const keys = await this.#table.keys();
    return keys.flatMap((key) => (key.startsWith(uriPrefix) ? [key.slice(uriPrefix.length)] : []));
  }

  close(): void {
    this.#answers?.follower.stop();
    this.#answers?.writer.end();
  }

  #answersTo(prefix: string): string {
    return this.streamNamed(`answers:${prefix}`);
  }
}

/** The id of the request that `notifications/cancelled` names. */
export function cancelledId(params: unknown): unknown {
  return isObject(params) ? params['requestId'] : undefined;
}
