export { untilComplete } from './client/host/input-rounds.ts';
export { defineProxy } from './define/proxy/define-proxy.ts';
export { ContinuedCalls } from './server/connection/continued-calls.ts';
export type { ListKind } from './define/live-list.ts';
export type * from './define/proxy/proxy.ts';
export { type JsonSource, memberSource, sourceIn } from './jsonrpc/json-source.ts';
export type { JsonObject } from './jsonrpc/message.ts';
