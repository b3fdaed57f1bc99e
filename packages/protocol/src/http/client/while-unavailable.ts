import { backOff, type EndSignal } from '@mcp/kit';
import type { ExchangeResponse } from './exchange.ts';

/** A server that cannot be reached for this long is not asked again, in milliseconds. */
const giveUpMs = 30_000;
const retries = { minMs: 100, maxMs: 2_000 };
/** Statuses of load balancers, and of servers that end. */
const unavailable = new Set([502, 503, 504]);

/**
 * Sends a request again while the server cannot be reached, or a load balancer has no server. For requests
 * that may arrive twice, and without which another request would wait for ever.
 */
export async function whileUnavailable(
  send: () => Promise<ExchangeResponse>,
  signal: EndSignal,
): Promise<ExchangeResponse> {
  const until = performance.now() + giveUpMs;
  for (let attempt = 1; ; attempt++) {
    const isLast = performance.now() > until;
    try {
      const response = await send();
      if (isLast || signal.aborted || !unavailable.has(response.status)) return response;
      response.discard();
    } catch (error) {
      // Only a request may begin a login.
      if (isLast || signal.aborted || (error instanceof Error && 'phase' in error)) throw error;
    }
    await backOff(retries, attempt, { signal });
  }
}
