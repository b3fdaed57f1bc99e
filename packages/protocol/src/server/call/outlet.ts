/** The destination of the messages of one request: its notifications and its response. */
export interface Outlet {
  /** Takes the response; `code` is that of an error. */
  respond(text: string, code?: number): void;
  notify(text: string): void;
  /** The request was cancelled: it gets no response. */
  abandon(): void;
  /** Carries the messages of many requests, as stdio does, so that the end of a stream needs a message. */
  readonly shared: boolean;
  /** True while the client reads more slowly than messages are sent. */
  readonly congested: boolean;
  /** Resolves when there is room again. */
  drained(): Promise<void>;
}
