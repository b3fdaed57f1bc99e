import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectProgram } from '../../program.ts';
import { sampleDocument } from '../../sample-document.ts';
import { reason, Upstream } from '../../upstream.ts';
import { readJson, callTool, Workspace } from '../../workspace.ts';

type Json = { [name: string]: unknown };

const sample = sampleDocument('berlin-current') as Json & { current: Json };
const withTemperature = (celsius: number) => ({
  ...sample,
  current: { ...sample.current, temperature_2m: celsius },
});

const uri = 'weather://52.52%2C13.41/current';
const quarter = 15 * 60_000;

test.each(['2025-11-25', '2026-07-28'])(
  'a subscribed resource is refreshed, and nothing else, at %s',
  async (revision) => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect({}, { revision });
    await readJson(client, 'weather://10%2C10/current');
    let reported = 0;
    let notify = () => {};
    const stop = await client.subscribe(uri, () => {
      reported++;
      notify();
    });
    const next = () => new Promise<void>((resolve) => (notify = resolve));
    await workspace.clock.pausing(1);
    expect(workspace.upstream.requests).toHaveLength(2);
    expect(workspace.clock.waits).toEqual([quarter]);

    // Equal weather is fetched without a notification.
    workspace.clock.pass(quarter);
    await workspace.clock.pausing(1);
    expect(workspace.upstream.requests).toHaveLength(3);
    workspace.upstream.documents.set('/v1/forecast', withTemperature(7));
    const changed = next();
    workspace.clock.pass(quarter);
    await changed;
    expect(reported).toBe(1);
    expect(await readJson(client, uri)).toMatchObject({ current: { temperatureC: 7 } });
    expect(workspace.upstream.requests).toHaveLength(4);

    await workspace.clock.pausing(1);
    await stop();
    await client.listTools();
    expect(workspace.clock.sleepers).toBe(0);
    workspace.clock.pass(10 * quarter);
    expect(workspace.upstream.requests).toHaveLength(4);
  },
);

test('Retry-After postpones the refresh of a subscription', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const stop = await client.subscribe(uri, () => {});
  await workspace.clock.pausing(1);
  workspace.upstream.next(
    reason(429, 'Hourly API request limit exceeded. Please try again in the next hour.'),
  );
  workspace.clock.pass(quarter);
  await workspace.clock.pausing(1);
  // 14:01 UTC by now: until 15:00.
  expect(workspace.clock.waits).toEqual([quarter, 59 * 60_000]);
  await stop();
});

test('an unreachable upstream is requested at growing intervals until it recovers', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ limits: { maxAttempts: 1 } });
  const stop = await client.subscribe(uri, () => {});
  await workspace.clock.pausing(1);
  workspace.upstream.always = (request) => request.socket.destroy();
  for (const minutes of [15, 1, 2, 4]) {
    workspace.clock.pass(minutes * 60_000);
    await workspace.clock.pausing(1);
  }
  expect(workspace.clock.waits).toEqual([15, 1, 2, 4, 8].map((minutes) => minutes * 60_000));
  workspace.upstream.always = undefined;
  workspace.clock.pass(8 * 60_000);
  await workspace.clock.pausing(1);
  expect(workspace.clock.waits.at(-1)).toBe(quarter);
  await stop();
});

test('a subscriber is notified when an upstream that was down recovers', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ limits: { maxAttempts: 1 } });
  workspace.upstream.always = (request) => request.socket.destroy();
  const notify = Promise.withResolvers<void>();
  const stop = await client.subscribe(uri, notify.resolve);
  await workspace.clock.pausing(1);
  workspace.upstream.always = undefined;
  workspace.clock.pass(60_000);
  await notify.promise;
  expect(await readJson(client, uri)).toMatchObject({ stale: false });
  await stop();
});

test('a subscription to a resource that does not exist is refused', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({}, { revision: '2025-11-25' });
  await expect(client.subscribe('weather://Paris/current', () => {})).rejects.toThrow(
    'Ambiguous place: "Paris" matches 2 places',
  );
  await expect(client.subscribe('weather://Xyzzyville/current', () => {})).rejects.toThrow(
    'No place found with the name "Xyzzyville"',
  );
  await expect(client.subscribe('weather://Beijing/alerts', () => {})).rejects.toThrow(
    'No source of official alerts for Beijing',
  );
  await expect(client.subscribe('weather://52.52%2C13.41/hourly/tomorrow', () => {})).rejects.toThrow(
    'Invalid date: "tomorrow"',
  );
});

test.each(['2025-11-25', '2026-07-28'])(
  'what another process has fetched is heard over stdio, at %s',
  { timeout: 60_000 },
  async (revision) => {
    const data = await mkdtemp(join(tmpdir(), 'weather-shared-'));
    await using upstream = await Upstream.start();
    // Stale immediately for the second process: the file says that it was fetched an hour ago.
    const args = [
      '--data',
      data,
      '--base-url',
      `open-meteo=${upstream.url.href}`,
      '--base-url',
      `nws=${upstream.url.href}`,
    ];
    const first = await connectProgram(args, { revision });
    const second = await connectProgram(args, { revision });
    try {
      const notify = Promise.withResolvers<void>();
      await first.subscribe(uri, notify.resolve);
      expect(upstream.requests).toHaveLength(1);
      await expireCache(join(data, 'cache/v1'));
      upstream.documents.set('/v1/forecast', withTemperature(7));
      expect((await callTool(second, 'current', { place: '52.52,13.41' })).facts).toMatchObject({
        current: { temperatureC: 7 },
      });
      await notify.promise;
      expect(await readJson(first, uri)).toMatchObject({ current: { temperatureC: 7 } });
      // The first process has taken it from the file.
      expect(upstream.requests).toHaveLength(2);
    } finally {
      await first.close();
      await second.close();
      await rm(data, { recursive: true });
    }
  },
);

/** Makes all that is kept an hour older. */
async function expireCache(directory: string): Promise<void> {
  const { readdir, readFile, writeFile } = await import('node:fs/promises');
  for (const name of await readdir(directory)) {
    const text = await readFile(join(directory, name), 'utf8');
    const older = text.replace(
      /"fetchedAt":(\d+)/,
      (_, time: string) => `"fetchedAt":${Number(time) - 3_600_000}`,
    );
    await writeFile(join(directory, name), older);
  }
}
