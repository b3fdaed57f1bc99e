import { invalidRequest } from '../../jsonrpc/error.ts';
import type { Route as NetworkRoute } from '../../jsonrpc/channel.ts';
import { errorText } from '../../jsonrpc/message.ts';
import type { EventStream } from './event-stream.ts';

/** A request to one of the `routes` of an authorization. */
export interface RouteRequest {
  readonly method: string;
  /** The path of the URL, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The address of the client, or of its proxy; undefined if it is not known. */
  readonly address?: string | undefined;
  /** A header by its lower-case name. Several headers of one name, even `Host`, are joined by commas. */
  header(name: string): string | undefined;
  /**
   * The body; undefined if it has more than `maxBytes` bytes, or if it does not arrive completely; `consumed`
   * if the framework has read it and not kept it.
   */
  body(maxBytes: number): Promise<Uint8Array | 'consumed' | undefined>;
}

/** The answer to a {@link RouteRequest}. */
export interface RouteReply {
  readonly status: number;
  /** The headers by their lower-case names. */
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
}

/** Answers the requests to one path. An error that it throws is answered with 500. */
export type Route = (request: RouteRequest) => RouteReply | Promise<RouteReply>;

/** The parts of an HTTP request that the protocol needs, in the same form for Node and the web platform. */
export interface HttpRequest extends RouteRequest {
  /** What carries the request. Default: `tcp`. */
  readonly transport?: NetworkRoute['transport'];
  /** The connection that carries the request; undefined if it is not known. */
  readonly connection?: object;
  /** Calls `gone` when the client disconnects before its answer is complete, or at once if it already did. */
  whenGone(gone: () => void): void;
}

/** The answer to an {@link HttpRequest}: text, a stream of events, or a status alone. */
export interface HttpReply {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string | EventStream;
}

export function jsonReply(status: number, text: string, headers: HttpReply['headers'] = {}): HttpReply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: text };
}

export function emptyReply(status: number, headers: HttpReply['headers'] = {}): HttpReply {
  return { status, headers };
}

/** An HTTP error whose body is a JSON-RPC error without an id. */
export function refuse(status: number, message: string, headers: HttpReply['headers'] = {}): HttpReply {
  return jsonReply(status, errorText(undefined, { code: invalidRequest, message }), headers);
}

export function tooMany(what: 'requests' | 'streams', max: number): HttpReply {
  const message = `Too many ${what} at once; expected at most ${max}; try again later`;
  return refuse(503, message, { 'retry-after': '1' });
}

/** The reply for a stream of events, with headers that tell proxies not to buffer it. */
export function streamReply(stream: EventStream, headers: HttpReply['headers'] = {}): HttpReply {
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...headers,
    },
    body: stream,
  };
}
