/** A number that can be shown and drawn. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Math.abs(value) < 100_000 ? value : null;
}

const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** A local time with its offset: `2026-11-20T15:00+01:00`. Undefined for another text. */
export function timeOf(value: unknown) {
  const [text, date = '', clock = '', zone = ''] =
    (typeof value === 'string' && value.length < 40 && time.exec(value)) || [];
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : { at, date, clock, offset: zone === 'Z' ? '+00:00' : zone };
}
