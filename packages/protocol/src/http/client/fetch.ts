/** Makes one HTTP request. Rejects where there is no response at all; any status is a response. */
export type Fetch = (request: Request) => Promise<Response>;

/**
 * A layer around the requests of an HTTP channel, such as authorization: gets the next layer, returns itself.
 * It gets every request of the channel (POST, GET, DELETE), may set its headers, may call `next` several times, and must
 * honour `request.signal`. What it throws fails the call, as its cause.
 */
export type FetchLayer = (next: Fetch) => LayeredFetch;

export type AddedHeaders = { readonly [name: string]: string };

/** The requests of a layer. */
export interface LayeredFetch {
  (request: Request, help?: LayerHelp): Promise<Response>;
  /**
   * The headers that the layer adds to a request to `url`, where it does nothing more for it; undefined where it must
   * get the request itself. A `Request` and a `Response` take most of the time of a short call, so that a channel without
   * a `fetch` of its own does not make them for such a request, unless its response is 401 or 403: then the layer gets
   * the request, with that response as `help.refused`.
   */
  readonly headersFor?: (url: string) => AddedHeaders | undefined | Promise<AddedHeaders | undefined>;
}

/** What a channel offers to its layer for one request. */
export interface LayerHelp {
  /** Makes the same request again, as a body can be read only once. */
  readonly again: () => Request;
  /**
   * Called while the request waits for anything else than the server, such as a user: the time until `until` settles
   * does not count against the timeout of the request.
   */
  readonly held: (until: Promise<unknown>) => void;
  /** The response to the request with the headers that `headersFor` has returned. */
  readonly refused?: { readonly added: AddedHeaders; readonly response: Response };
}
