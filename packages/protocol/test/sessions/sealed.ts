import { defineTool, type Server } from '@mcp/protocol';
import type { ListenOptions } from '@mcp/protocol/http';
import { HttpWire, messageOf } from '../http/http-wire.ts';
import { example } from '../requirements/wire.ts';

export const key = new Uint8Array(32).fill(7);

/** Tells what the server knows of its client. */
export const who = defineTool({
  name: 'who',
  description: 'Tells who calls.',
  run: (_, { client: { revision, info, sessionId }, clientCapabilities }) =>
    JSON.stringify({ revision, info, capabilities: clientCapabilities, sessionId }),
});

export const server = example({ tools: [who], stateKey: key });

export const sessions: ListenOptions = { sealedSessions: true };

/** The status and error of the answer to an id that is not valid. */
export const unknown = [
  404,
  { code: -32600, message: 'Unknown Mcp-Session-Id; send "initialize" to begin a new session' },
];

/** A process of sealed sessions, and a client that has shaken hands with it. */
export function open(options: ListenOptions = {}): Promise<HttpWire> {
  return HttpWire.open(server, '2025-11-25', { ...sessions, ...options });
}

/** Another endpoint, which has not seen the session of `wire`, with a client that continues this session. */
export function replicaOf(
  wire: HttpWire,
  served: Server = server,
  options: ListenOptions = sessions,
): Promise<HttpWire> {
  return HttpWire.continuing(served, wire, options);
}

/** What the tool `who` answers. */
export async function calledBy(wire: HttpWire): Promise<unknown> {
  const { result } = (await messageOf(await wire.call('who'))) as {
    result: { content: readonly [{ text: string }] };
  };
  return JSON.parse(result.content[0].text);
}
