import { rename, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'vitest';

export { StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
export { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
export { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
export { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const info = { name: 'test', version: '1.0.0' };

/** The official client of the first generation: always the handshake, at its newest revision. */
export async function useV1(transport: object, note: string): Promise<void> {
  const client = new ClientV1(info, { capabilities: {} });
  await client.connect(transport as Parameters<ClientV1['connect']>[0]);
  try {
    await listCallAndRead(client, note);
    const uri = pathToFileURL(note).href;
    const heard = new Promise((resolve) =>
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri)),
    );
    await client.subscribeResource({ uri });
    await save(note, 'second\n');
    expect(await heard).toBe(uri);
  } finally {
    await client.close();
  }
}

/** The official client of the second generation, at one revision with a handshake. */
export async function useV2(transport: object, note: string, version: string): Promise<void> {
  const client = new ClientV2(info, { supportedProtocolVersions: [version] });
  await connectV2(client, transport, note, version, (uri) => client.subscribeResource({ uri }));
}

/** The official client of the second generation, without a handshake. */
export async function useV2Stateless(
  transport: object,
  note: string,
  mode: 'auto' | { pin: string },
): Promise<void> {
  const client = new ClientV2(info, { versionNegotiation: { mode } });
  await connectV2(client, transport, note, '2026-07-28', (uri) =>
    client.listen({ resourceSubscriptions: [uri] }),
  );
}

async function connectV2(
  client: ClientV2,
  transport: object,
  note: string,
  version: string,
  subscribe: (uri: string) => Promise<unknown>,
): Promise<void> {
  await client.connect(transport as Parameters<ClientV2['connect']>[0]);
  try {
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    await listCallAndRead(client as Official, note);
    const uri = pathToFileURL(note).href;
    const heard = new Promise((resolve) =>
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri)),
    );
    await subscribe(uri);
    await save(note, 'second\n');
    expect(await heard).toBe(uri);
  } finally {
    await client.close();
  }
}

/** The common interface of the two official clients. */
interface Official {
  listTools(): Promise<{ tools: { name: string }[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
}

/**
 * What every client must be able to do with a filesystem server that has a file `note` with the text "first".
 */
async function listCallAndRead(client: Official, note: string): Promise<void> {
  const uri = pathToFileURL(note).href;
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('read_text_file');
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('explain_file');
  expect((await client.listResources()).resources.map((resource) => resource.uri)).toContain(uri);
  const read = await client.callTool({ name: 'read_text_file', arguments: { path: basename(note) } });
  expect(read).toMatchObject({ content: [{ type: 'text', text: 'first\n' }] });
  const { contents } = await client.readResource({ uri });
  expect(contents).toMatchObject([{ uri, mimeType: 'text/plain', text: 'first\n' }]);
}

/** Saves as editors do: a new file in place of the old one. */
async function save(note: string, text: string): Promise<void> {
  await writeFile(`${note}.new`, text);
  await rename(`${note}.new`, note);
}
