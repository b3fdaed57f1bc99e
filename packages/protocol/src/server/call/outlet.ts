/** Where the messages about one request go: its response, and what is told before it. */
export interface Outlet {
  /** Takes the response; `code` is that of an error. */
  respond(text: string, code?: number): void;
  notify(text: string): void;
  /** The request gets no response: it was cancelled. */
  abandon(): void;
  /** Carries the messages of many requests, as stdio does, so that the end of one stream must be told. */
  readonly shared: boolean;
  /** True while the client takes messages more slowly than they come. */
  readonly congested: boolean;
  /** Resolves when there is room again. */
  drained(): Promise<void>;
}
