import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const info = { name: 'official', version: '1.0.0' };

/** What a test of several replicas does with an official client. */
export interface Replicated {
  /** The answer of the tool `who`, as JSON. */
  who(): Promise<{ readonly pid: number; readonly client: { readonly sessionId: string } }>;
  readonly sessionId: string | undefined;
  close(): Promise<void>;
}

/** The official client of the first generation, or of the second one at a revision with a handshake. */
export async function connectReplicated(url: string, version: string | undefined): Promise<Replicated> {
  const transport = version === undefined ? new HttpV1(new URL(url)) : new HttpV2(new URL(url));
  const client =
    version === undefined ? new ClientV1(info) : new ClientV2(info, { supportedProtocolVersions: [version] });
  await client.connect(transport as Parameters<ClientV1['connect']>[0] & HttpV2);
  return {
    async who() {
      const { content } = await client.callTool({ name: 'who', arguments: {} });
      return JSON.parse((content as [{ text: string }])[0].text) as Awaited<ReturnType<Replicated['who']>>;
    },
    get sessionId() {
      return transport.sessionId;
    },
    close: () => client.close(),
  };
}
