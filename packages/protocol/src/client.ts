export { Client } from './client/client.ts';
export type { Backoff, ClientOptions, LogMessage, SubscribeOptions } from './client/client-options.ts';
export { ClientError, type Phase } from './client/client-error.ts';
export {
  maxNegotiationAgeMs,
  type Negotiation,
  type NegotiationCache,
} from './client/connection/negotiation-cache.ts';
export type { HostHandlers, HostCall } from './client/host/host-handlers.ts';
export type { CallOptions } from './client/call-options.ts';
export type { Identity } from './client/connection/request-meta.ts';
export { InvalidResult } from './client/results/check-result.ts';
export type * from './client/results/results.ts';
export { logLevels } from './define/call.ts';
export { tasksExtension } from './revisions/tasks-extension.ts';
export type { ListKind } from './define/live-list.ts';
export type { TaskClient } from './client/calls/task-client.ts';
export type { Channel, Connector, Envelope, Receiver } from './jsonrpc/channel.ts';
export { ConnectionClosed, RpcError } from './jsonrpc/error.ts';
export type { AddedHeaders, Fetch, FetchLayer, LayeredFetch, LayerHelp } from './http/client/fetch.ts';
export { HttpChannel, type HttpChannelOptions } from './http/client/http-channel.ts';
export { serverAt } from './http/client/server-at.ts';
export { SseChannel } from './http/client/sse-channel.ts';
export { versions as revisions } from './revisions/table.ts';
