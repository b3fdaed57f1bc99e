/** Makes one HTTP request. Rejects where there is no response at all; any status is a response. */
export type Fetch = (request: Request) => Promise<Response>;

/**
 * A layer around the requests of an HTTP channel, such as authorization: gets the next layer, returns itself.
 * It sees every request of the channel (POST, GET, DELETE), may call `next` several times (with a clone, as
 * a body can be read only once), and must honour `request.signal`. What it throws fails the call, as its cause.
 */
export type FetchLayer = (next: Fetch) => Fetch;
