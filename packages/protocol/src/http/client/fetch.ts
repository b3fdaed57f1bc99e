/** Makes one HTTP request. Rejects where there is no response at all; any status is a response. */
export type Fetch = (request: Request) => Promise<Response>;

/**
 * A layer around the requests of an HTTP channel, such as authorization: gets the next layer, returns itself.
 * It sees every request of the channel (POST, GET, DELETE), may call `next` several times (with a clone, as
 * a body can be read only once), and must honour `request.signal`. What it throws fails the call, as its cause.
 * While it waits for anything else than the server, such as a user, it calls `held` with what it waits for: that
 * time does not count against the timeout of the request.
 */
export type FetchLayer = (next: Fetch) => (request: Request, held?: Held) => Promise<Response>;

export type Held = (until: Promise<unknown>) => void;
