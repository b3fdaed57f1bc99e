import { type Call, type Caller, defineServer, defineTool } from '@mcp/protocol';
import { Client, serverAt } from '@mcp/protocol/client';
import { serveHttp, type Verify } from '@mcp/protocol/http';
import { audience } from './issuer.ts';

const whoami = defineTool({
  name: 'whoami',
  description: 'Says who calls.',
  run: (_, { caller }: Call<object, Caller>) => JSON.stringify(caller),
});
const write = defineTool({
  name: 'write',
  description: 'Writes.',
  requires: ['notes:write'],
  run: () => 'Written',
});
export const server = defineServer({ name: 'notes', version: '1.0.0', tools: [whoami, write] });

/** An answer without its body: the status, the error of its challenge, and when to try again. */
export type Answer = readonly [status: number, error: string | undefined];

/** Serves with a verifier, and keeps the warnings. */
export async function serve(verify: Verify) {
  const warnings: string[] = [];
  const listener = await serveHttp(server, {
    authorization: {
      verify,
      metadata: { resource: audience, authorizationServers: ['https://login.example.com'] },
    },
    onWarning: (message) => warnings.push(message),
  });
  const send = (headers: { readonly [name: string]: string }, url = listener.url) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/list',
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });
  return {
    url: listener.url,
    warnings,
    send,
    /** The status and the error code of the answer to a request. */
    async ask(token: string, headers: { readonly [name: string]: string } = {}): Promise<Answer> {
      const response = await send({ authorization: `Bearer ${token}`, ...headers });
      await response.text();
      const [, error] = /error="(\w+)"/.exec(response.headers.get('www-authenticate') ?? '') ?? [];
      return [response.status, error];
    },
    /** What a real client is told that it is. */
    async whoami(token: string): Promise<Caller> {
      const connector = serverAt(listener.url, { headers: { authorization: `Bearer ${token}` } });
      await using client = await Client.connect(connector);
      const [block] = (await client.callTool('whoami')).content;
      return JSON.parse((block as { readonly text: string }).text) as Caller;
    },
    [Symbol.asyncDispose]: () => listener.close(),
  };
}

export const admitted: Answer = [200, undefined];
export const refused: Answer = [401, 'invalid_token'];
/** Tokens cannot be verified now: no challenge, so that no client logs in. */
export const unavailable: Answer = [503, undefined];
