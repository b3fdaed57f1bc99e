/** Answers that took less time get no note. */
const minNotedMs = 1_000;

/** A line for an answer that took at least half of the time that it may take; otherwise nothing. */
export function slowNote(elapsedMs: number, timeoutMs: number): string {
  if (elapsedMs < Math.max(timeoutMs / 2, minNotedMs)) return '';
  const [took, limit] = [elapsedMs, timeoutMs].map((ms) => (ms / 1_000).toFixed(1));
  return `\n\nTook ${took} s of at most ${limit} s; explain shows the plan, timeout_ms allows more time`;
}
