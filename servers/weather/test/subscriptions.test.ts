import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Client } from '@mcp/protocol/testing';
import { connectProgram } from './program.ts';
import { sampleDocument } from './sample-document.ts';
import { readJson, callTool } from './workspace.ts';

// The tests make thousands of changes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const run = promisify(execFile);

const sample = (name: string) => JSON.stringify(sampleDocument(name));
const current = sample('berlin-current');
const warmer = current.replace('"temperature_2m":5.7', '"temperature_2m":9.9');
const sameWeather = current.replace('"generationtime_ms":0.3', '"generationtime_ms":0.987');

// Each call changes a file in a new process, as other servers would.
const write = (file: string, text: string) =>
  run(process.execPath, ['-e', 'require("fs").writeFileSync(process.argv[1], process.argv[2])', file, text]);
const replace = (file: string, text: string) =>
  run(process.execPath, [
    '-e',
    'const fs = require("fs"); const [file, text] = process.argv.slice(1); fs.writeFileSync(file + ".new", text); fs.renameSync(file + ".new", file)',
    file,
    text,
  ]);

/** Counts the notifications of some URIs. */
class Notifications {
  readonly reported = new Map<string, number>();
  #notify = () => {};

  async listen(client: Client, uri: string): Promise<void> {
    await client.subscribe(uri, () => this.hear(uri));
  }

  hear(what: string): void {
    this.reported.set(what, (this.reported.get(what) ?? 0) + 1);
    this.#notify();
  }

  count(what: string): number {
    return this.reported.get(what) ?? 0;
  }

  /** Resolves once there were `count` notifications. */
  async until(what: string, count: number): Promise<void> {
    while (this.count(what) < count) await new Promise<void>((resolve) => (this.#notify = resolve));
  }
}

describe.each(['2025-11-25', '2026-07-28'])('over stdio, at %s', (revision) => {
  let data: string;
  let client: Client;
  let notifications: Notifications;
  let warnings: string[];
  const dataset = (path: string) => join(data, 'dataset', path);

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'weather-live-'));
  });

  beforeEach(async () => {
    await client?.close();
    await rm(join(data, 'dataset'), { recursive: true, force: true });
    await rm(join(data, 'places.json'), { force: true });
    for (const [path, text] of [
      ['berlin/current.json', current],
      ['berlin/place.json', sample('berlin-place')],
      ['berlin/forecast.json', sample('berlin-forecast')],
      ['kathmandu/current.json', sample('kathmandu-current')],
    ] as const) {
      await mkdir(dirname(dataset(path)), { recursive: true });
      await writeFile(dataset(path), text);
    }
    warnings = [];
    const warn = (line: string) => void warnings.push(line);
    client = await connectProgram(['--provider', 'dataset', '--data', data], { revision }, warn);
    notifications = new Notifications();
  });

  afterAll(async () => {
    await client.close();
    await rm(data, { recursive: true });
  });

  const berlin = 'weather://berlin/current';
  const witness = 'weather://kathmandu/current';

  /** Resolves when all earlier changes have been notified: a witness resource is changed and notified. */
  async function settled(): Promise<void> {
    if (notifications.count(witness) === 0) await notifications.listen(client, witness);
    const before = notifications.count(witness);
    const text = sample('kathmandu-current').replace(
      /"temperature_2m":[\d.]+/,
      `"temperature_2m":${before + 20}`,
    );
    await replace(dataset('kathmandu/current.json'), text);
    await notifications.until(witness, before + 1);
  }

  test('notifies of a file that another process writes, and not of one with equal content', async () => {
    await notifications.listen(client, berlin);
    await replace(dataset('berlin/current.json'), warmer);
    await notifications.until(berlin, 1);
    expect(await readJson(client, berlin)).toMatchObject({ current: { temperatureC: 9.9 } });
    await replace(dataset('berlin/current.json'), warmer);
    await write(dataset('berlin/current.json'), warmer);
    await replace(
      dataset('berlin/current.json'),
      sameWeather.replace('"temperature_2m":5.7', '"temperature_2m":9.9'),
    );
    await settled();
    expect(notifications.count(berlin)).toBe(1);
    await write(dataset('berlin/current.json'), current);
    await notifications.until(berlin, 2);
  });

  test('keeps the last valid content of an invalid file, and notifies of the next valid one', async () => {
    await notifications.listen(client, berlin);
    await write(dataset('berlin/current.json'), warmer.slice(0, 200));
    await settled();
    expect(notifications.count(berlin)).toBe(0);
    expect(await readJson(client, berlin)).toMatchObject({
      stale: true,
      current: { temperatureC: 5.7 },
      problem: { error: 'invalid_reply' },
    });
    await write(dataset('berlin/current.json'), warmer);
    await notifications.until(berlin, 1);
    const reported = await readJson(client, berlin);
    expect(reported).toMatchObject({ current: { temperatureC: 9.9 } });
    expect(reported).not.toHaveProperty('problem');
  });

  test('notifies only of changes of the resource itself', async () => {
    const day = 'weather://berlin/hourly/2026-11-21';
    const forecast = 'weather://berlin/forecast?days=1';
    await notifications.listen(client, day);
    await notifications.listen(client, forecast);
    const document = JSON.parse(sample('berlin-forecast')) as { hourly: { temperature_2m: number[] } };
    document.hourly.temperature_2m[30] = 33;
    await replace(dataset('berlin/forecast.json'), JSON.stringify(document));
    await notifications.until(day, 1);
    await settled();
    expect(notifications.count(forecast)).toBe(0);
  });

  test('notifies when a place appears, disappears and reappears', async () => {
    const uri = 'weather://oslo/current';
    await notifications.listen(client, uri);
    await mkdir(dataset('oslo'));
    // Nothing is in it for a while.
    await settled();
    await write(dataset('oslo/current.json'), current);
    await notifications.until(uri, 1);
    expect(await readJson(client, uri)).toMatchObject({ current: { temperatureC: 5.7 } });
    await rm(dataset('oslo'), { recursive: true });
    await notifications.until(uri, 2);
    await expect(client.readResource(uri)).rejects.toThrow();
    await mkdir(dataset('oslo'));
    await write(dataset('oslo/current.json'), warmer);
    await notifications.until(uri, 3);
  });

  test('notifies of each change of places.json by another process, a thousand times', async () => {
    const file = join(data, 'places.json');
    const places = (...names: string[]) =>
      JSON.stringify({
        version: 1,
        places: names.map((saved) => ({ saved, latitude: 52.52, longitude: 13.41 })),
      });
    const uri = 'weather://places';
    await notifications.listen(client, uri);
    // In the revisions up to 2025-11-25, a client is notified of changes of a list only after it has
    // requested the list.
    await client.listResources();
    await client.watchList('resources', () => notifications.hear('list'));
    const names = async () =>
      ((await readJson(client, uri))['places'] as { saved: string }[]).map(({ saved }) => saved);
    const list = async () => (await client.listResources()).map(({ uri: each }) => each);

    await write(file, places('home'));
    await notifications.until(uri, 1);
    await notifications.until('list', 1);
    expect(await names()).toEqual(['home']);
    expect(await list()).toContain('weather://home/current');
    await replace(file, places('home', 'hut'));
    await notifications.until(uri, 2);
    await notifications.until('list', 2);
    // Truncated: the last valid content stays, without a notification.
    await write(file, places('home', 'hut').slice(0, 30));
    await settled();
    expect(await names()).toEqual(['home', 'hut']);
    expect(notifications.count(uri)).toBe(2);
    const warning = `Cannot read the saved places from ${JSON.stringify(file)}`;
    await expect.poll(() => warnings.join('\n')).toContain(warning);
    // The last valid content is written again: that is no change, so there is no notification.
    await write(file, places('home', 'hut'));
    await settled();
    expect(notifications.count(uri)).toBe(2);
    await rm(file);
    await notifications.until(uri, 3);
    expect(await names()).toEqual([]);
    await writeFile(`${file}.target`, places('linked'));
    await symlink(`${file}.target`, file);
    await notifications.until(uri, 4);
    await writeFile(`${file}.other`, places('other'));
    await run('ln', ['-sfn', `${file}.other`, file]);
    await notifications.until(uri, 5);
    expect(await names()).toEqual(['other']);
    await rm(file);
    await notifications.until(uri, 6);

    await run(process.execPath, [
      '-e',
      `const fs = require('fs');
       for (let n = 1; n <= 1000; n++) fs.writeFileSync(process.argv[1], process.argv[2].replace('NAME', 'n' + n));`,
      file,
      places('NAME'),
    ]);
    await notifications.until(uri, 7);
    for (;;) {
      const before = notifications.count(uri);
      if ((await names())[0] === 'n1000') break;
      await notifications.until(uri, before + 1);
    }
    await settled();
    expect(notifications.count(uri)).toBeLessThan(60);
  });

  test('notifies when the whole directory is deleted and created again', async () => {
    const own = await mkdtemp(join(tmpdir(), 'weather-gone-'));
    const locatedIn = join(own, 'a/b');
    await mkdir(locatedIn, { recursive: true });
    const text = JSON.stringify({ version: 1, places: [{ saved: 'home', latitude: 1, longitude: 2 }] });
    await writeFile(join(locatedIn, 'places.json'), text);
    await using other = await connectProgram(['--provider', 'dataset', '--data', locatedIn], {
      revision,
    });
    const uri = 'weather://places';
    await notifications.listen(other, uri);
    await rm(join(own, 'a'), { recursive: true });
    await notifications.until(uri, 1);
    expect(await readJson(other, uri)).toEqual({ places: [] });
    await mkdir(locatedIn, { recursive: true });
    await write(join(locatedIn, 'places.json'), text);
    await notifications.until(uri, 2);
    expect(await readJson(other, uri)).toMatchObject({ places: [{ saved: 'home' }] });
    await rm(own, { recursive: true });
  });

  test('notifies when a saved place gets other coordinates', async () => {
    await callTool(client, 'save_place', { name: 'home', place: 'berlin' });
    const uri = 'weather://home/current';
    await notifications.listen(client, uri);
    await callTool(client, 'save_place', { name: 'home', place: '27.75,85.25' });
    await notifications.until(uri, 1);
    expect(await readJson(client, uri)).toMatchObject({
      place: { saved: 'home', timezone: 'Asia/Kathmandu' },
    });
    // From then on, changes at the new coordinates are notified.
    await replace(
      dataset('kathmandu/current.json'),
      sample('kathmandu-current').replace(/"temperature_2m":[\d.]+/, '"temperature_2m":1'),
    );
    await notifications.until(uri, 2);
  });
});
