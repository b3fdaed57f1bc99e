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
   * Returns the headers that the layer adds to a request to `url`; undefined if the layer needs the request
   * itself. Creating a `Request` and a `Response` takes most of the time of a short call, so a channel
   * without a `fetch` of its own only adds these headers to the request. If the server answers 401 or 403,
   * the channel calls the layer with the request, and with this response as `help.refused`.
   */
  readonly headersFor?: (url: string) => AddedHeaders | undefined | Promise<AddedHeaders | undefined>;
}

/** The functions that a channel passes to its layer with each request. */
export interface LayerHelp {
  /** Creates another copy of the request, because the body of a request can be read only once. */
  readonly again: () => Request;
  /**
   * Says that the request waits for something other than the server, such as a user: suspends the timeout of
   * the request until `until` settles.
   */
  readonly held: (until: Promise<unknown>) => void;
  /**
   * A layer that adds a credential to a header calls this function with the value of the header. The value is
   * then removed from the messages of errors.
   */
  readonly added?: (value: string) => void;
  /**
   * The headers that `headersFor` returned for this request, and the response (401 or 403) to the request
   * with them.
   */
  readonly refused?: { readonly added: AddedHeaders; readonly response: Response };
}
