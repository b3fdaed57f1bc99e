import { median, time } from '../measure.ts';

/** The median of the milliseconds of so many runs. */
export async function middle(runs: number, work: (run: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await time(() => work(run)));
  return median(times);
}
