/** The destination of the messages of one request: its notifications and its response. */
export interface Outlet {
  /**
   * Takes the response; `code` is the error code of an error response. After `retryAfterSeconds`, the client
   * may try again.
   */
  respond(text: string, code?: number, retryAfterSeconds?: number): void;
  notify(text: string): void;
  /** Called if the request was cancelled, so that it gets no response. */
  abandon(): void;
  /**
   * Whether the outlet carries the messages of many requests, as stdio does. The end of a subscription must
   * then be sent as a message, because the outlet stays open.
   */
  readonly shared: boolean;
  /** True while the client reads more slowly than the server sends. */
  readonly congested: boolean;
  /** Resolves when the outlet is not congested any more. */
  drained(): Promise<void>;
}

/** The outlet for the messages of many requests, which wait in `queue` for the client to read them. */
export function sharedOutlet(
  send: (text: string) => void,
  queue: Pick<Outlet, 'congested' | 'drained'>,
): Outlet {
  return {
    respond: send,
    notify: send,
    abandon() {},
    shared: true,
    get congested() {
      return queue.congested;
    },
    drained: () => queue.drained(),
  };
}
