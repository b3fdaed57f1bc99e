/** Makes one HTTP request. Rejects only if there is no response; any status is a response. */
export type Fetch = (request: Request) => Promise<Response>;

/**
 * Wraps the requests of an HTTP channel, for example to authorize them: gets the function that makes a
 * request (`next`), and returns the function that the channel calls instead. The returned function gets the
 * requests of the channel (POST, GET, DELETE). It may set their headers, may call `next` several times, and
 * must respect `request.signal`. An error that it throws becomes the cause of the call's error.
 */
export type FetchLayer = (next: Fetch) => LayeredFetch;

export type AddedHeaders = { readonly [name: string]: string };

/** The function that a layer returns: makes one HTTP request. */
export interface LayeredFetch {
  (request: Request, help?: LayerHelp): Promise<Response>;
  /**
   * Returns the headers that the layer adds to a request to `url`; undefined if the layer must be called with
   * the request. If it returns headers, a channel without its own `fetch` makes no `Request` and `Response`,
   * which take most of the time of a short call. If the server answers 401 or 403, the layer is called with
   * the request, and the response is `help.refused`.
   */
  readonly headersFor?: (url: string) => AddedHeaders | undefined | Promise<AddedHeaders | undefined>;
}

/** The functions that a channel passes to its layer with each request. */
export interface LayerHelp {
  /** Creates another copy of the request, because the body of a request can be read only once. */
  readonly again: () => Request;
  /** Suspends the timeout of the request while `until` is pending, for example while a user logs in. */
  readonly held: (until: Promise<unknown>) => void;
  /** To be called with the value of a header with a credential, which is then removed from error messages. */
  readonly added?: (value: string) => void;
  /** The headers that `headersFor` returned for this request, and the 401 or 403 that the server answered. */
  readonly refused?: { readonly added: AddedHeaders; readonly response: Response };
}
