import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineResource, defineServer, defineTool } from '@mcp/protocol';
import { httpHandler } from '@mcp/protocol/http';
import type { AuthorizationServer } from './authorization-server.ts';

/** A server of this package that demands tokens of the issuer. */
export interface Greeter extends AsyncDisposable {
  readonly url: string;
  /** Refuses all tokens so far. */
  revokeAll(): void;
  /** Breaks all connections. */
  disconnect(): void;
  /** Changes the resource. */
  change(): void;
}

export async function startGreeter(issuer: AuthorizationServer): Promise<Greeter> {
  const revoked = new Set<string>();
  const listeners = new Set<() => void>();
  const http = createServer((request, response) => handler.node(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const greet = defineTool({ name: 'greet', description: 'Greets.', run: () => 'Hello' });
  const mood = defineResource({
    uri: 'mood:///now',
    name: 'mood',
    read: () => 'fine',
    watch(_, changed) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
  });
  const server = defineServer({ name: 'greeter', version: '1.0.0', tools: [greet], resources: [mood] });
  const handler = httpHandler(server, {
    authorization: {
      verify: (token) =>
        issuer.tokens.has(token) && !revoked.has(token) ? { principal: 'user' } : undefined,
      metadata: { resource: url, authorizationServers: [issuer.issuer] },
    },
  });
  return {
    url,
    revokeAll() {
      for (const token of issuer.tokens.keys()) revoked.add(token);
    },
    disconnect: () => http.closeAllConnections(),
    change() {
      for (const changed of listeners) changed();
    },
    async [Symbol.asyncDispose]() {
      await handler.close();
      http.closeAllConnections();
      http.close();
    },
  };
}
