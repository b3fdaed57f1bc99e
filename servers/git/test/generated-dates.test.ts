import type { Client } from '@mcp/protocol/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const times = Number(process.env['GENERATED_TIMES'] ?? 1);
const datesInARun = 150;

/** Seconds since 1970, around the limits of git, of 32 bits and of calendars. */
const commits = [
  0, 1, 32_400, 86_399, 86_400, 172_800, 951_782_400, 951_868_800, 1_456_704_000, 1_767_225_599,
  1_767_225_600, 1_768_867_200, 1_768_953_599, 1_772_323_200, 2_147_483_647, 2_147_483_648, 4_102_412_400,
  4_102_444_799, 4_102_444_800, 4_107_542_400, 32_503_680_000, 253_402_300_799, 253_402_300_800,
];

const names = 'January February March April May June July August September October November December'.split(
  ' ',
);
const minutesEast: { readonly [zone: string]: number } = { UTC: 0, 'Etc/GMT-9': 540, 'Etc/GMT+5': -300 };

interface Written {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly clock?: readonly [hour: number, minute: number, second: number] | undefined;
  readonly zone?: readonly [sign: '+' | '-', hours: number, minutes: number] | undefined;
}

const two = (value: number) => String(value).padStart(2, '0');
const four = (value: number) => String(value).padStart(4, '0');

/** The ways to write a day. */
const dayForms: readonly ((written: Written) => string)[] = [
  ({ year, month, day }) => `${four(year)}-${two(month)}-${two(day)}`,
  ({ year, month, day }) => `${four(year)}/${month}/${day}`,
  ({ year, month, day }) => `${two(day)}.${two(month)}.${four(year)}`,
  ({ year, month, day }) => `${names[month - 1] ?? 'Smarch'} ${day}, ${four(year)}`,
  ({ year, month, day }) => `${day}th of ${(names[month - 1] ?? 'Smarch').slice(0, 3)} ${four(year)}`,
];

function textOf(written: Written, form: number): string {
  const { clock, zone } = written;
  const time = clock && ` ${clock.map(two).join(':')}`;
  const offset = clock && zone ? `${form === 0 ? '' : ' '}${zone[0]}${two(zone[1])}:${two(zone[2])}` : '';
  return `${dayForms[form]!(written)}${time ?? ''}${offset}`;
}

/** Days since 1970, counted in eras of 400 years from 1 March of the year 0. */
function daysSince1970({ year, month, day }: Written): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const ofEra = shifted - era * 400;
  const ofYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468;
}

function exists({ year, month, day, clock, zone }: Written): boolean {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  const [hour, minute, second] = clock ?? [0, 0, 0];
  const onClock =
    (hour < 24 && minute < 60 && (second < 60 || (second === 60 && minute === 59))) ||
    (hour === 24 && minute === 0 && second === 0);
  const [, hours, minutes] = (clock && zone) ?? ['+', 0, 0];
  return day >= 1 && day <= days && onClock && minutes < 60 && hours * 60 + minutes <= 840;
}

/** Local times that git cannot convert are read as UTC. */
function secondsOf(written: Written, limit: 'start' | 'end', local: number): number {
  const { clock = limit === 'start' ? [0, 0, 0] : [23, 59, 59], zone } = written;
  const [hour, minute, second] = clock as [number, number, number];
  const seconds = daysSince1970(written) * 86_400 + hour * 3_600 + minute * 60 + second;
  if (written.clock && zone) return seconds - (zone[0] === '-' ? -60 : 60) * (zone[1] * 60 + zone[2]);
  return seconds < 86_400 || seconds > 4_102_444_799 ? seconds : seconds - local * 60;
}

/** The expected lines of a log that starts or ends at a date, as `limit` says, or the kind of its error. */
function expected(written: Written, limit: 'start' | 'end', local: number): string {
  if (!exists(written)) return 'invalid';
  const seconds = secondsOf(written, limit, local);
  if (limit === 'end' && seconds < 0) return 'before 1970';
  return commits.filter((at) => (limit === 'start' ? at >= seconds : at <= seconds)).join(' ');
}

async function withCommits(zone: string): Promise<Workspace> {
  const workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const parts = commits.map((at, index) => {
    const subject = String(at);
    const from = index === 0 ? '' : `from :${index}\n`;
    return `commit refs/heads/dated\nmark :${index + 1}\ncommitter Ada <ada@example.com> ${at} +0000\ndata ${subject.length}\n${subject}\n${from}`;
  });
  await workspace.import(parts.join(''));
  workspace.environment['TZ'] = zone;
  return workspace;
}

async function listed(workspace: Workspace, client: Client, limits: object): Promise<string> {
  const text = await workspace.callText(client, 'git_log', { revision: 'dated', max_count: 100, ...limits });
  if (/^ERROR Invalid (end )?date: .* is before 1970/.test(text)) return 'before 1970';
  if (text.startsWith('ERROR Invalid date: ')) return 'invalid';
  if (text === 'No commits') return '';
  const lines = text.split('\n').slice(0, -1);
  return lines
    .map((line) => / Ada: (\d+)$/.exec(line)?.[1] ?? line)
    .toReversed()
    .join(' ');
}

const near = fc
  .tuple(fc.constantFrom(...commits.slice(0, -1)), fc.integer({ min: -1, max: 1 }))
  .map(([at, days]) => new Date((at + days * 86_400) * 1000))
  .map((date) => ({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }))
  .filter(({ year }) => year <= 9999);
const any = fc.record({
  year: fc.oneof(
    fc.integer({ min: 1, max: 9999 }),
    fc.constantFrom(1, 99, 1900, 1969, 1970, 2099, 2100, 9999),
  ),
  month: fc.integer({ min: 1, max: 13 }),
  day: fc.integer({ min: 0, max: 32 }),
});
const leapDay = fc.constantFrom(1900, 2000, 2023, 2024, 2100).map((year) => ({ year, month: 2, day: 29 }));
const clock = fc.oneof(
  fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 59 })),
  fc.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 99 })),
  fc.constantFrom<[number, number, number][]>(
    [24, 0, 0],
    [24, 0, 1],
    [23, 59, 60],
    [23, 58, 60],
    [99, 99, 99],
  ),
);
const zone = fc.tuple(
  fc.constantFrom<('+' | '-')[]>('+', '-'),
  fc.oneof(fc.integer({ min: 0, max: 14 }), fc.constantFrom(15, 99)),
  fc.constantFrom(0, 0, 0, 30, 45, 60),
);
const generated = fc.record({
  date: fc.oneof(near, near, any, leapDay),
  clock: fc.option(clock, { nil: undefined }),
  zone: fc.option(zone, { nil: undefined }),
  form: fc.nat(dayForms.length - 1),
  limit: fc.constantFrom<('start' | 'end')[]>('start', 'end'),
});

test.each(Object.keys(minutesEast))(
  'in %s a log lists what the generated dates limit, or refuses them',
  async (place) => {
    using workspace = await withCommits(place);
    await using client = await workspace.connect();
    for (const { date, form, limit, ...time } of fc.sample(generated, datesInARun * times)) {
      // Git reads 07.13.2026 as July.
      if (form === 2 && date.month > 12) continue;
      const written: Written = { ...date, ...time };
      const text = textOf(written, form);
      const found = await listed(workspace, client, { [`${limit}_timestamp`]: text });
      expect(found, `${limit} ${text}`).toBe(expected(written, limit, minutesEast[place]!));
    }
  },
);

const units = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
  month: 2_629_746,
  year: 31_556_952,
};

test('a log lists what generated spans before the present limit', async () => {
  using workspace = await withCommits('UTC');
  await using client = await workspace.connect();
  const spans = fc.tuple(
    fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 999_999_999 })),
    fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[])),
    fc.constantFrom<('start' | 'end')[]>('start', 'end'),
  );
  for (const [count, unit, limit] of fc.sample(spans, 40 * times)) {
    const seconds = Date.now() / 1000 - count * units[unit];
    // Months and years differ in length.
    if (commits.some((at) => Math.abs(at - seconds) < 4 * units.day)) continue;
    const found = await listed(workspace, client, { [`${limit}_timestamp`]: `${count} ${unit}s ago` });
    const kept = commits.filter((at) => (limit === 'start' ? at >= seconds : at <= seconds)).join(' ');
    expect(found, `${limit} ${count} ${unit}s ago`).toBe(
      limit === 'end' && seconds < 0 ? 'before 1970' : kept,
    );
  }
});

test('words that git would pass over are refused, or mean what they say', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.environment['TZ'] = 'UTC';
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  for (const hours of [24 * 8, 24 * 6, 1]) {
    Object.assign(workspace.environment, {
      GIT_AUTHOR_DATE: hoursAgo(hours),
      GIT_COMMITTER_DATE: hoursAgo(hours),
    });
    await workspace.commit(`${hours} hours old`);
  }
  await using client = await workspace.connect();
  const since = async (start_timestamp: string) => {
    const text = await workspace.callText(client, 'git_log', { start_timestamp });
    return text.startsWith('ERROR Invalid date: ') ? 'refused' : (text.match(/\d+ hours old/g) ?? []).length;
  };
  for (const text of [
    'a week ago',
    'one week ago',
    '1 week ago',
    'last week',
    '7 days',
    'a week and an hour ago',
  ])
    expect(await since(text), text).toBe(2);
  const noonOfYesterday = `${hoursAgo(24).slice(0, 10)}T12:00Z`;
  for (const text of ['yesterday noon', 'noon yesterday', 'yesterday at 12pm', 'yesterday 12:00'])
    expect(await since(text), text).toBe(await since(noonOfYesterday));
  const refused = [
    'week ago',
    'January',
    'Feb 30',
    'yesterday 10',
    '10',
    '25:00',
    '13pm',
    'yesterday 99:99',
    'Jan 20 2026 12:00 +99:00',
    '3 days ago +02:00',
    '20.01.26',
    '1.5 days ago',
    '2026-01-20T99:99',
    '2026-01-20T12:00+99:00',
    '12026-01-20',
    '1768867200000',
  ];
  for (const text of refused) expect(await since(text), text).toBe('refused');
});
