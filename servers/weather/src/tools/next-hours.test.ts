import { expect, test } from 'vitest';
import { sampleDocument } from '../../test/sample-document.ts';
import { callTool, started, Workspace } from '../../test/workspace.ts';

/** A reply with the precipitation of ten quarters of an hour, the first of which ends at 13:45 UTC. */
function withQuarters(precipitation: readonly unknown[], unit = 'mm') {
  const first = Date.UTC(2026, 10, 20, 13, 45) / 1000;
  return {
    ...sampleDocument('berlin-current'),
    minutely_15_units: { time: 'unixtime', precipitation: unit },
    minutely_15: { time: precipitation.map((_, index) => first + index * 900), precipitation },
  };
}

async function rainOf(document: object, args: object = {}, minutes = 0) {
  await using workspace = await Workspace.create();
  workspace.upstream.documents.set('/v1/forecast', document);
  workspace.clock.time = started + minutes * 60_000;
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'current', { place: '52.52,13.41', ...args });
  const request = workspace.upstream.requests[0]!;
  return { line: text.split('\n').find((each) => each.startsWith('Precipitation')), facts, request };
}

test('current says when it will rain in the next two hours', async () => {
  const { line, facts, request } = await rainOf(withQuarters([9, 0, 0, 0.2, 0.4, 0, 0, 1.1, 0, 0]));
  // The first quarter is over; local time is UTC+1.
  expect(line).toBe('Precipitation until 17:00: 0.6 mm from 15:15 to 15:45, 1.1 mm from 16:15 to 16:30');
  expect(facts['quarters']).toMatchObject({
    until: expect.arrayContaining(['2026-11-20T15:30+01:00']),
    precipitationMm: [9, 0, 0, 0.2, 0.4, 0, 0, 1.1, 0, 0],
  });
  expect(request).toContain('minutely_15=precipitation&forecast_minutely_15=10');
});

test.each([
  ['none', withQuarters([0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), {}, 'none'],
  [
    'in inches',
    withQuarters([0, 2.54, 0, 0, 0, 0, 0, 0, 0, 0]),
    { units: 'imperial' },
    '0.1 in from 14:45 to 15:00',
  ],
  [
    'from another unit',
    withQuarters([0, 1, 0, 0, 0, 0, 0, 0, 0, 0], 'inch'),
    {},
    '25.4 mm from 14:45 to 15:00',
  ],
])('current has the rain of the next hours: %s', async (_, document, args, words) => {
  expect((await rainOf(document, args)).line).toMatch(
    new RegExp(`^Precipitation until \\d\\d:\\d\\d: ${words}$`),
  );
});

test.each([
  ['no quarters', sampleDocument('berlin-current')],
  ['only unknown values', withQuarters([null, null, null])],
  ['only quarters that are over', withQuarters([3])],
  [
    'fewer values than times',
    { ...withQuarters([1, 2, 3]), minutely_15: { time: [1, 2, 3], precipitation: [1] } },
  ],
])('current is silent about the next hours with %s', async (_, document) => {
  expect((await rainOf(document)).line).toBeUndefined();
});
