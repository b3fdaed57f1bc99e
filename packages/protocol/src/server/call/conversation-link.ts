import type { LogLevel } from '../../define/call.ts';

/**
 * What connects the parts of one conversation that several processes have. Its methods throw if the other
 * processes cannot be told now.
 */
export interface ConversationLink {
  /** Whether the client gets the notifications of the conversation from this process. */
  readonly listening: boolean;
  /**
   * Called before a question is sent to the client, whose id begins with `prefix`. Resolves when each process
   * can take the answer.
   */
  asks(prefix: string): Promise<void>;
  /**
   * Has another process send a message, which has the stream for notifications now or later. Calls `sent`
   * when it has done so. Returns a function that ends this.
   */
  send(text: string, sent: () => void): () => void;
  levelSet(level: LogLevel): Promise<void>;
  /** Throws an `RpcError` if the client has too many subscriptions. */
  subscribed(uri: string, max: number): Promise<void>;
  unsubscribed(uri: string): Promise<void>;
}
