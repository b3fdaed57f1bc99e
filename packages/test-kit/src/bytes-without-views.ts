import { defineServer, type Server, type withoutStructuredContent } from '@mcp/protocol';
import { RawConnection } from '@mcp/protocol/testing';

type Tool = Parameters<typeof withoutStructuredContent>[0];

/** A request: its method, and its parameters. */
export type ListedRequest = readonly [method: string, params: object];

const lists: readonly ListedRequest[] = [
  ['tools/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['prompts/list', {}],
];

/** The same server, as it would be if its package had no view. `extensions` are its other ones. */
function withoutViews({ definition, context }: Server, extensions: readonly object[]): Server {
  const { tools: load } = definition as unknown as { readonly tools: () => Promise<readonly Tool[]> };
  const tools = async () =>
    (await load()).flatMap((tool) => {
      const { view, ...rest } = tool.definition;
      return view?.isOnlyForViews ? [] : [{ ...tool, definition: rest } as Tool];
    });
  return defineServer({ ...definition, context, tools, extensions } as never);
}

/** The answers to the handshake and to all requests, as they were sent. */
async function answers(
  server: Server,
  requests: readonly ListedRequest[],
  revision: string,
): Promise<readonly string[]> {
  const connection = new RawConnection(server);
  const clientInfo = { name: 'bytes', version: '0' };
  const capabilities = {
    elicitation: {},
    extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/uri-list'] } },
  };
  const isStateless = revision >= '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': clientInfo,
  };
  const handshake = isStateless
    ? (['server/discover', {}] as const)
    : (['initialize', { protocolVersion: revision, capabilities, clientInfo }] as const);
  for (const [id, [method, params]] of [handshake, ...lists, ...requests].entries()) {
    if (id === 1 && !isStateless) connection.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    connection.send({ jsonrpc: '2.0', id, method, params: isStateless ? { ...params, _meta } : params });
    await connection.next();
  }
  return connection.received.map((message) => JSON.stringify(message));
}

/**
 * What a server sends to a client without views, for the lists and for `requests`, and what it would send if
 * it had no view.
 */
export async function bytesWithoutViews(
  server: Server,
  {
    revision,
    requests,
    extensions,
  }: {
    readonly revision: string;
    readonly requests: readonly ListedRequest[];
    /** The extensions of the server other than its views. */
    readonly extensions: readonly object[];
  },
): Promise<{ readonly sent: string; readonly bare: string }> {
  const bare = await answers(withoutViews(server, extensions), requests, revision);
  // The handshake and the list of tools say that they are for this client alone, as others get other ones.
  const [handshake = '', tools = '', ...rest] = await answers(server, requests, revision);
  const own = [handshake, tools].map((line) =>
    line.replace('"cacheScope":"private"', '"cacheScope":"public"'),
  );
  return { sent: [...own, ...rest].join('\n'), bare: bare.join('\n') };
}
