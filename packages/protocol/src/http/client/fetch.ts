/** Makes one HTTP request. Rejects only if there is no response; any status is a response. */
export type Fetch = (request: Request) => Promise<Response>;

/**
 * A layer around the requests of an HTTP channel, such as authorization: gets the next layer and returns its
 * own function. That gets the requests of the channel (POST, GET, DELETE), may set their headers, may call
 * `next` several times, and must respect `request.signal`. An error that it throws is the cause of the call's
 * error.
 */
export type FetchLayer = (next: Fetch) => LayeredFetch;

export type AddedHeaders = { readonly [name: string]: string };

/** The requests of a layer. */
export interface LayeredFetch {
  (request: Request, help?: LayerHelp): Promise<Response>;
  /**
   * The headers that the layer adds to a request to `url`, where it does nothing more for it; undefined where
   * it must get the request itself. A `Request` and a `Response` take most of the time of a short call, so
   * that a channel without a `fetch` of its own does not make them for such a request, unless its response is
   * 401 or 403: then the layer gets the request, with that response as `help.refused`.
   */
  readonly headersFor?: (url: string) => AddedHeaders | undefined | Promise<AddedHeaders | undefined>;
}

/** The functions that a channel passes to its layer with each request. */
export interface LayerHelp {
  /** Creates the same request again, as a body can be read only once. */
  readonly again: () => Request;
  /**
   * Called while the request waits for something other than the server, such as a user: suspends the timeout
   * of the request until `until` settles.
   */
  readonly held: (until: Promise<unknown>) => void;
  /**
   * Called with the value of each header with a credential that the layer adds, so that no error contains it.
   */
  readonly added?: (value: string) => void;
  /** The response to the request with the headers that `headersFor` has returned. */
  readonly refused?: { readonly added: AddedHeaders; readonly response: Response };
}
