/** Makes one HTTP request. Rejects where there is no response at all; any status is a response. */
export type Fetch = (request: Request) => Promise<Response>;

/**
 * A layer around the requests of an HTTP channel, such as authorization: gets the next layer, returns itself.
 * It sees every request of the channel (POST, GET, DELETE), may set its headers, may call `next` several times, and must
 * honour `request.signal`. What it throws fails the call, as its cause.
 */
export type FetchLayer = (next: Fetch) => (request: Request, help?: LayerHelp) => Promise<Response>;

/** What a channel offers to its layer for one request. */
export interface LayerHelp {
  /** Makes the same request again, as a body can be read only once. */
  readonly again: () => Request;
  /**
   * Called while the request waits for anything else than the server, such as a user: the time until `until` settles
   * does not count against the timeout of the request.
   */
  readonly held: (until: Promise<unknown>) => void;
}
