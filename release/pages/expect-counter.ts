import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Client, serverAt } from '@mcp/protocol/client';

/** A stateless revision, and one with sessions. */
const revisions = ['2026-07-28', '2025-11-25'];

/** Counts at a server: progress must arrive while the call runs, and a call can be cancelled. */
export async function expectCounter(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const revision of revisions) {
    await using client = await Client.connect(serverAt(url, { headers }), { revision });
    await expectCount(client);
    await expectStream(client);
  }
}

/** Counts, and expects the progress and the result. */
export async function expectCount(client: Client): Promise<void> {
  const steps: number[] = [];
  const onProgress = (done: number) => void steps.push(done);
  const { content } = await client.callTool('count', { to: 3 }, { onProgress });
  assert.deepEqual(content, [{ type: 'text', text: 'Counted to 3' }]);
  assert.deepEqual(steps, [1, 2, 3]);
}

/** Cancels a call when its first progress has arrived: an answer that is held back would never end. */
export async function expectStream(client: Client): Promise<void> {
  const begun = Promise.withResolvers<void>();
  const abort = new AbortController();
  const call = client.callTool(
    'count',
    { to: 100_000 },
    { signal: abort.signal, onProgress: () => begun.resolve() },
  );
  await Promise.race([begun.promise, call]);
  abort.abort();
  await assert.rejects(call);
}

/** Expects that a server takes requests for the host of the pages, and refuses those for others. */
export async function expectHosts(url: string): Promise<void> {
  assert.notEqual(await statusFor(url, 'mcp.example.com'), 403, 'the host of the page is refused');
  assert.equal(await statusFor(url, 'other.example.com'), 403, 'another host is not refused');
}

async function statusFor(url: string, host: string): Promise<number | undefined> {
  const asked = request(url, { headers: { host }, agent: false });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
