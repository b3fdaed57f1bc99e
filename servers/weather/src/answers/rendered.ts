import type { Read } from '../backend/cache/upstream-document.ts';
import type { Facts } from '../text/provenance.ts';

/** An answer as people read it and as programs do. */
export interface Rendered {
  readonly text: string;
  readonly facts: Facts;
  /** The facts without where and when they come from: what must differ for an answer to be another one. */
  readonly core: Facts;
}

const minuteMs = 60_000;
const kept = new WeakMap<Read<unknown>, Map<string, Rendered>>();

/** Renders an answer once a minute at most for as long as what was read is the same. */
export function onceAMinute(
  read: Read<unknown>,
  key: string,
  nowMs: number,
  render: () => Rendered,
): Rendered {
  const minute = `${Math.floor(nowMs / minuteMs)} ${key}`;
  let known = kept.get(read);
  if (!known) kept.set(read, (known = new Map()));
  let rendered = known.get(minute);
  if (!rendered) {
    // What was rendered for other minutes is of no use any more.
    if (known.size >= 32) known.clear();
    known.set(minute, (rendered = render()));
  }
  return rendered;
}
