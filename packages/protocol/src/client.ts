export { Client, type ClientOptions, type ListKind } from './client/client.ts';
export type { CallOptions } from './client/requests.ts';
export type { Host } from './client/host.ts';
export type * from './client/results.ts';
export { ConnectionClosed, RpcError } from './jsonrpc/error.ts';
export { HttpChannel, type HttpChannelOptions } from './http/client/http-channel.ts';
export { SseChannel } from './http/client/sse-channel.ts';
export type { Fetch, FetchLayer } from './http/client/fetch.ts';
