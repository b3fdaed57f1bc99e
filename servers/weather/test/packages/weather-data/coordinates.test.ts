import { expect, test } from 'vitest';
import { callTool, Workspace } from '../../workspace.ts';
import { sampleDocument } from '../../sample-document.ts';
import { reason } from '../../upstream.ts';

test.each([
  ['90.0001,0', 'Invalid latitude: 90.0001; expected -90 to 90'],
  ['-91,0', 'Invalid latitude: -91; expected -90 to 90'],
  ['0,180.5', 'Invalid longitude: 180.5; expected -180 to 180'],
  ['0,-181', 'Invalid longitude: -181; expected -180 to 180'],
  ['0,540', 'Invalid longitude: 540; expected -180 to 180'],
  ['51.5N', 'Invalid coordinates: "51.5N"; expected latitude and longitude in degrees, such as 52.52,13.41'],
  ['51.5', 'Invalid coordinates: "51.5"; expected latitude and longitude in degrees, such as 52.52,13.41'],
  [
    '51,5,0,1',
    'Invalid coordinates: "51,5,0,1"; expected latitude and longitude in degrees, such as 52.52,13.41',
  ],
  ['NaN,0', 'Invalid coordinates: "NaN,0"; expected latitude and longitude in degrees, such as 52.52,13.41'],
  [
    '1e308,0',
    'Invalid coordinates: "1e308,0"; expected latitude and longitude in degrees, such as 52.52,13.41',
  ],
])('the place %s is refused', async (place, message) => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  expect(await callTool(client, 'current', { place })).toMatchObject({
    isError: true,
    text: message,
  });
  expect(workspace.upstream.count('/v1/forecast')).toBe(0);
});

test('numbers out of range are refused with the accepted range', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const refused = async (latitude: unknown, longitude: unknown) => {
    const { text, facts, isError } = await callTool(client, 'get_forecast', { latitude, longitude });
    expect(isError).toBe(true);
    return { text, error: facts['error'], argument: facts['argument'] };
  };
  expect(await refused(91, 0)).toEqual({
    text: 'Invalid latitude: 91; expected -90 to 90',
    error: 'invalid_argument',
    argument: 'latitude',
  });
  expect((await refused(1e308, 0)).text).toBe('Invalid latitude: 1e+308; expected -90 to 90');
  expect((await refused(0, -181)).argument).toBe('longitude');
  expect((await refused('51,5', 0)).text).toContain(
    'Argument "latitude" must be a number, not a string ("51,5").',
  );
  expect(workspace.upstream.requests).toEqual([]);
  const zero = await callTool(client, 'get_forecast', { latitude: -0, longitude: -0 });
  expect(zero.text).toContain('0° N 0° E');
  expect(workspace.upstream.requests[0]).toContain('latitude=0&longitude=0&');
});

test('coordinates may have hemisphere letters', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  for (const place of ['33.87S 151.21E', '33.87° S, 151.21° E', '-33.87;151.21', '-33.87 151.21']) {
    const { facts } = await callTool(client, 'current', { place });
    expect(facts['place']).toMatchObject({ latitude: -33.87, longitude: 151.21 });
  }
});

test('an answer shows hemispheres, zone and grid cell, so that a swapped pair is noticed', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'current', { place: '-73.99,40.75' });
  expect(text.split('\n')[0]).toBe('73.99° S 40.75° E, Europe/Berlin');
  expect(facts).toMatchObject({ place: { latitude: -73.99, longitude: 40.75 }, gridDistanceKm: 1.1 });
  const named = await callTool(client, 'current', { place: 'Portland, Oregon' });
  expect(named.facts['place']).toMatchObject({
    name: 'Portland',
    admin1: 'Oregon',
    country: 'United States',
  });
});

test('distances are right across the antimeridian', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  for (const longitude of [180, -180, 179.99, -179.99]) {
    const { facts } = await callTool(client, 'current', { place: `-17,${longitude}` });
    expect(facts).toMatchObject({ place: { longitude }, gridDistanceKm: 1.1 });
  }
  const berlin = sampleDocument('berlin-current');
  workspace.upstream.documents.set('/v1/forecast', { ...berlin, latitude: -16, longitude: -179.98 });
  const { facts } = await callTool(client, 'current', { place: '-16,179.98' });
  expect(facts['gridDistanceKm']).toBe(4.3);
});

test('times at the poles, which have no zone, are in UTC', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const berlin = sampleDocument('berlin-current');
  const inUtc = { ...berlin, latitude: 90, longitude: 0, utc_offset_seconds: 0, timezone: 'GMT' };
  for (const place of ['90,0', '-90,0']) {
    workspace.upstream.documents.set('/v1/forecast', inUtc);
    workspace.upstream.next(reason(400, 'Invalid timezone'));
    const { text, isError } = await callTool(client, 'current', { place });
    expect(isError).toBe(false);
    expect(text).toContain('2026-11-20T13:45+00:00');
    // A refused place is not requested again.
    const asked = workspace.upstream.requests.length;
    await callTool(client, 'current', { place });
    expect(workspace.upstream.requests).toHaveLength(asked);
  }
});
