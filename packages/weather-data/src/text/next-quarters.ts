import type { UnitSystem } from '../model/units.ts';
import { inUnit, unitOf } from '../model/units.ts';
import type { Moment } from '../model/series.ts';
import type { Zone } from '../model/time-zone.ts';

const quarterSeconds = 900;
const spanSeconds = 7_200;

/**
 * Returns the precipitation of the next two hours as text, such as `Precipitation until 16:00: 1.2 mm from
 * 14:30 to 15:15`; undefined if it is unknown. `now` is in milliseconds since 1970. The `time` of a quarter
 * is its end.
 */
export function nextQuartersText(
  quarters: readonly Moment[],
  { zone, units, now }: { readonly zone: Zone; readonly units: UnitSystem; readonly now: number },
): string | undefined {
  const from = now / 1000;
  const next = quarters.filter(
    ({ time, values }) =>
      time > from && time - quarterSeconds < from + spanSeconds && typeof values.precipitation === 'number',
  );
  const last = next.at(-1);
  if (!last) return undefined;
  const unit = unitOf('precipitation', units);
  const showers = showersIn(next).map(
    (shower) =>
      `${inUnit(shower.amount, unit)} ${unit.label} from ${zone.timeAt(shower.from)} to ${zone.timeAt(shower.to)}`,
  );
  return `Precipitation until ${zone.timeAt(last.time)}: ${showers.join(', ') || 'none'}`;
}

interface Shower {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
}

/** Joins adjacent quarters of an hour that have precipitation into one shower each. */
function showersIn(quarters: readonly Moment[]): readonly Shower[] {
  const showers: Shower[] = [];
  for (const { time, values } of quarters) {
    const amount = values.precipitation ?? 0;
    if (amount <= 0) continue;
    const from = time - quarterSeconds;
    const before = showers.at(-1);
    if (before?.to === from) showers.push({ ...showers.pop()!, to: time, amount: before.amount + amount });
    else showers.push({ from, to: time, amount });
  }
  return showers;
}
