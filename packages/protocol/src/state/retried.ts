import { backOff } from '@mcp/kit';

const retries = { minMs: 50, maxMs: 2_000 };

/** The result of `work`, which is tried again until it succeeds; undefined if the signal aborts before. */
export async function retried<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      return await work();
    } catch {
      await backOff(retries, attempt, { signal });
    }
  }
  return undefined;
}
