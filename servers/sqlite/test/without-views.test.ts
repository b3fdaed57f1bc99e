import { defineServer, type Server, type withoutStructuredContent } from '@mcp/protocol';
import { revisions } from '@mcp/protocol/client';
import { RawConnection } from '@mcp/protocol/testing';
import { viewsExtension } from '@mcp/views';
import { expect, test, vi } from 'vitest';
import { skills } from '../src/skills.ts';
import { shareProcesses, Workspace } from './workspace.ts';

shareProcesses();

type Tool = Parameters<typeof withoutStructuredContent>[0];

/** The same server, as it would be if its package had no view. */
function withoutViews({ definition, context }: ReturnType<Workspace['serve']>): Server {
  const { tools: load } = definition as unknown as { readonly tools: () => Promise<readonly Tool[]> };
  const tools = async () =>
    (await load()).flatMap((tool) => {
      const { view, ...rest } = tool.definition;
      return view?.isOnlyForViews ? [] : [{ ...tool, definition: rest } as Tool];
    });
  return defineServer({ ...definition, context, tools, extensions: [skills] } as never);
}

const requests: readonly (readonly [method: string, params: object])[] = [
  ['tools/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['prompts/list', {}],
  ['resources/read', { uri: 'ui://sqlite/database' }],
  ['tools/call', { name: 'query', arguments: { sql: 'SELECT * FROM orders' } }],
  ['tools/call', { name: 'query', arguments: { sql: 'SELECT * FROM customers', limit: 2, format: 'json' } }],
  ['tools/call', { name: 'describe_table', arguments: { table: 'orders' } }],
  [
    'tools/call',
    { name: 'write', arguments: { sql: 'UPDATE orders SET total = 1 WHERE id = 1', dry_run: true } },
  ],
  ['tools/call', { name: 'read_result', arguments: { sql: 'SELECT 1' } }],
  ['tools/call', { name: 'read_resul', arguments: {} }],
];

/** The answers to the handshake and to all requests, as they were sent. */
async function answers(server: Server, revision: string, capabilities: object): Promise<string> {
  const connection = new RawConnection(server);
  const clientInfo = { name: 'bytes', version: '0' };
  const isStateless = revision >= '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': clientInfo,
  };
  const handshake = isStateless
    ? (['server/discover', {}] as const)
    : (['initialize', { protocolVersion: revision, capabilities, clientInfo }] as const);
  for (const [id, [method, params]] of [handshake, ...requests].entries()) {
    if (id === 1 && !isStateless) connection.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    connection.send({ jsonrpc: '2.0', id, method, params: isStateless ? { ...params, _meta } : params });
    await connection.next();
  }
  const all = connection.received.map((message) => JSON.stringify(message)).join('\n');
  return all.replaceAll(/(elapsedMs\\*":)[\d.]+/g, '$10');
}

vi.setConfig({ testTimeout: 20_000 });

test.each(revisions)(
  'at %s, clients without views get the bytes of a server that has none',
  async (revision) => {
    using workspace = new Workspace();
    const server = workspace.serve({ allowWrite: true });
    const capabilities = {
      elicitation: {},
      extensions: { [viewsExtension.id]: { mimeTypes: ['text/uri-list'] } },
    };
    const bare = await answers(withoutViews(server), revision, capabilities);
    const shown = await answers(server, revision, capabilities);
    // The handshake and the list of tools say that they are for this client alone, as others get other ones.
    const [handshake, tools, ...rest] = shown.split('\n');
    const own = [handshake, tools].map((line) =>
      line!.replace('"cacheScope":"private"', '"cacheScope":"public"'),
    );
    expect([...own, ...rest].join('\n')).toBe(bare);
  },
);
