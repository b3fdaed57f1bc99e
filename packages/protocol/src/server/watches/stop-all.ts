import type { Stop } from '../../define/resource.ts';

/** Stops all watches, even if one fails; then throws the first error. */
export async function stopAll(stops: readonly Stop[]): Promise<void> {
  const ended = await Promise.allSettled(stops.map(async (stop) => stop()));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}
