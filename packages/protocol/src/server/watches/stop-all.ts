import type { Stop } from '../../define/resource.ts';

/** Ends all of them, also where one fails; what failed first is thrown at the end. */
export async function stopAll(stops: readonly Stop[]): Promise<void> {
  const ended = await Promise.allSettled(stops.map(async (stop) => stop()));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}
