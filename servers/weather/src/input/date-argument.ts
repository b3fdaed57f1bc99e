import { addDays } from '@mcp/weather-data';

/** Completes a date between two numbers of days after today, UTC. */
export function completeDate(typed: string, nowMs: number, [from, to]: readonly [number, number]): string[] {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const step = from <= to ? 1 : -1;
  const dates = Array.from({ length: Math.abs(to - from) + 1 }, (_, index) =>
    addDays(today, from + step * index),
  );
  return dates.filter((date) => date.startsWith(typed));
}
