import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { chromium } from './views/bundle-script.ts';
import type * as Shown from './views/shown-view.ts';
import type * as Weather from './views/weather-page.ts';

// The view of the weather server in Chromium, in the frame of the official host, on the sample of the server.

const isRunnable = inject('official') && existsSync(chromium);

const shownView = isRunnable
  ? await import('./views/shown-view.ts')
  : ({ looks: [] } as never as typeof Shown);
const { looks, overflowOf, ViewBrowser, violationsIn } = shownView;
const { showForecast } = isRunnable ? await import('./views/weather-page.ts') : ({} as typeof Weather);

let browser: Shown.ViewBrowser;

/** A clock in the page that the test moves by `pass(milliseconds)`. A timer without a delay runs at once. */
const ownClock = `
  const wait = setTimeout;
  let [time, last] = [0, 0];
  globalThis.timers = new Map();
  performance.now = () => time;
  globalThis.setTimeout = (run, delay) => {
    if (delay > 0) timers.set(++last, { run, at: time + delay });
    else wait(run);
    return last;
  };
  globalThis.clearTimeout = (id) => timers.delete(id);
  globalThis.pass = (milliseconds) => {
    time += milliseconds;
    for (const [id, { run, at }] of timers) if (at <= time && timers.delete(id)) run();
    return timers.size;
  };`;

type Options = Parameters<typeof showForecast>[1];
type Calls = Parameters<typeof showForecast>[2];

describe.skipIf(!isRunnable)('the view of a forecast', () => {
  beforeAll(async () => {
    browser = await ViewBrowser.start();
    return () => browser[Symbol.asyncDispose]();
  });

  /** The view when it shows the weather, or another part of the page. */
  async function shown(options: Partial<Options> = {}, calls?: Calls, awaited = '#picture svg') {
    const view = await showForecast(browser, { width: 720, input: { place: 'Berlin' }, ...options }, calls);
    onTestFinished(() => view[Symbol.asyncDispose]());
    const { frame, page } = view;
    await frame.waitForSelector(awaited);
    const text = (selector: string) =>
      frame.$eval(selector, (element) => (element as unknown as { innerText: string }).innerText);
    const press = async (...keys: Parameters<typeof page.keyboard.press>[0][]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    return { ...view, text, press };
  }

  test.each(looks)('is accessible and fits at $width pixels, $theme', async (look) => {
    const { frame, errors } = await shown({ ...look, input: { place: ['Berlin', 'Kathmandu', 'Nowhere'] } });
    await frame.$$eval('details', (all) => {
      for (const each of all) each.setAttribute('open', '');
    });
    expect(await violationsIn(frame)).toEqual([]);
    expect(await overflowOf(frame)).toBe(0);
    expect(errors).toEqual([]);
  });

  test('says the weather, the alerts, and always the source, the age and the zone', async () => {
    const { text } = await shown();
    expect(await text('header')).toMatch(/^Berlin\s+Germany · 14:46 there/);
    expect(await text('#current')).toContain('6°');
    expect(await text('#alerts')).toContain('Yellow Wind warning');
    expect(await text('#readout')).toContain('Fri 20 Nov, 14:00');
    expect(await text('#days')).toMatch(/^7 days\s+Today\s+20 Nov/);
    expect((await text('#source')).replaceAll(/\s+/g, ' ')).toBe(
      'Sample data, not real weather Source: Open-Meteo fetched just now Europe/Berlin (UTC+1)',
    );
  });

  test('its source stays in sight where the host limits the height', async () => {
    const { page, frame } = await shown({ context: { containerDimensions: { maxHeight: 500 } } });
    await page.$eval('iframe', (element) => element.setAttribute('height', '500'));
    const isVisible = `(({ bottom }) => bottom <= innerHeight)(document.querySelector('#source').getBoundingClientRect())`;
    await frame.waitForFunction(`innerHeight === 500 && ${isVisible}`);
  });

  test('is used with the keyboard alone', async () => {
    const calls: object[] = [];
    const { frame, text, press } = await shown({ input: { place: ['Berlin', 'Kathmandu'] } }, (_, args) => {
      calls.push(args);
      return undefined;
    });
    await press('Tab', 'ArrowRight');
    expect(await text('header')).toMatch(/^Kathmandu\s+Bagmati Province, Nepal · 19:31 there/);
    await press('ArrowLeft', 'Tab', 'ArrowRight');
    expect(await text('.big')).toBe('42°');
    expect(await text('#readout')).toContain('42.3 °F');
    await press('ArrowRight');
    expect(await text('.big')).toBe('279 K');
    await press('ArrowLeft', 'ArrowLeft');
    await press('Tab', 'Tab', 'Enter');
    expect(await text('.alert')).toContain('Look out for falling objects');
    await press('Tab', 'ArrowRight', 'ArrowRight');
    expect(await text('#readout')).toContain('Fri 20 Nov, 16:00');
    expect(await frame.$eval('#hour', (slider) => slider.getAttribute('aria-valuetext'))).toBe('Fri 16:00');
    await press('End');
    expect(await text('#readout')).toContain('Sun 22 Nov, 14:00');
    await press('Tab', 'Enter', 'Tab');
    expect(await text('#table')).toContain('Fri 14:00');
    await press('Tab', 'Tab', 'Enter');
    expect(await text('#curve-title')).toBe('From Sat 21 Nov');
    // The row that was chosen has been drawn again, and keeps the focus.
    expect(await frame.evaluate('document.activeElement.ariaPressed')).toBe('true');
    expect(calls).toEqual([{ place: ['Berlin', 'Kathmandu'] }]);
  });

  test('an hour is chosen by pointing at it', async () => {
    const { page, frame, text } = await shown();
    const picture = (await (await frame.$('#picture'))!.boundingBox())!;
    await page.mouse.move(picture.x + picture.width - 20, picture.y + 50);
    expect(await text('#readout')).toContain('Sun 22 Nov, 14:00');
  });

  test('reads again while it is visible, never twice within five seconds, and keeps what it has', async () => {
    const calls: unknown[] = [];
    const refused = { isError: true, content: [{ type: 'text', text: 'Too many requests' }] };
    const { frame, text } = await shown(
      { input: { place: 'Berlin', hourly: true }, prelude: ownClock },
      (name, args) => {
        calls.push([name, args]);
        return calls.length === 2 ? refused : undefined;
      },
    );
    const pass = (milliseconds: number) => frame.evaluate(`pass(${milliseconds})`);
    const problem = (shows: boolean) =>
      frame.waitForFunction(
        `(document.querySelector('.problem') !== null) === ${shows} && timers.size === 1`,
      );
    await problem(false);
    expect(await pass(59_999)).toBe(1);
    expect(await pass(1)).toBe(0);
    await problem(true);
    expect(await text('#source')).toContain('fetched 1 min ago');
    expect(await text('#source')).toContain('Not refreshed: Too many requests');
    expect(await text('h1')).toBe('Berlin');
    await frame.click('#refresh');
    await frame.click('#refresh');
    expect(await pass(4_999)).toBe(1);
    expect(await pass(1)).toBe(0);
    await problem(false);
    expect(calls).toEqual(Array.from({ length: 3 }, () => ['refresh_forecast', { place: 'Berlin' }]));

    const becomes = (state: string) =>
      frame.evaluate(`
        Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
        timers.size;`);
    expect(await becomes('hidden')).toBe(0);
    await frame.click('#refresh');
    expect(await pass(600_000)).toBe(0);
    expect(calls).toHaveLength(3);
    await becomes('visible');
    await expect.poll(() => calls.length).toBe(4);
  });

  test('shows the text of the result where the host calls no tools', async () => {
    const refused = { isError: true, content: [{ type: 'text', text: 'Tools are off' }] };
    const { frame } = await shown({}, () => refused, '#trouble p');
    const text = await frame.$eval('#trouble', (element) => element.textContent);
    expect(text).toMatch(/^Tools are off\n\nBerlin, Germany .*\nFri 2026-11-20: Slight rain/);
  });

  test('asks which place an ambiguous name means', async () => {
    const asked: object[] = [];
    const candidates = [
      { place: '45.52,-122.68', name: 'Portland', admin1: 'Oregon' },
      { place: '43.66,-70.26', name: 'Portland', admin1: 'Maine' },
    ];
    const failed = {
      asked: 'Portland',
      error: 'ambiguous_place',
      message: 'Ambiguous place: "Portland"',
      candidates,
    };
    const places = { structuredContent: { places: [failed] }, content: [] };
    const { frame } = await shown(
      { input: { place: 'Portland' }, prelude: ownClock },
      (_, args) => {
        asked.push(args);
        return places;
      },
      '#trouble button',
    );
    await frame.click('#trouble button:last-child');
    await frame.evaluate('pass(5_000)');
    await expect.poll(() => asked).toEqual([{ place: 'Portland' }, { place: ['43.66,-70.26'] }]);
  });

  test('hostile data neither run nor break the layout', async () => {
    const attack = [
      '<script>parent.hacked = hacked = 1</script><img src=x onerror="hacked=1">',
      '"><svg onload=hacked=1>{{7*7}}${hacked=1}javascript:hacked=1',
      '\u202eevil\u2066\u200f\u0000\ufeff',
      'e\u0301'.padEnd(500, '\u0301'),
      'W'.repeat(5_000),
    ].join(' ');
    const huge = 'x '.repeat(5_000_000);
    const alert = {
      event: attack,
      severity: attack,
      area: attack,
      headline: attack,
      description: attack,
      sender: attack,
    };
    const { frame, page, errors } = await shown({ width: 375 }, (_, args) => {
      const time = Array.from({ length: 600 }, (_each, hour) => new Date(hour * 3_600_000).toISOString());
      const hours = {
        time,
        condition: time.map((_each, at) => (at < 50 ? attack : '')),
        temperatureC: time.map((_each, at) => (at % 7 ? 1e308 : at)),
      };
      const day = { date: '1970-01-01', condition: attack, temperatureMinC: -9e4, temperatureMaxC: 9e4 };
      const facts = {
        days: Array.from({ length: 1_000 }, () => day),
        hours,
        source: attack,
        attribution: attack,
        fetchedAt: '1970-01-01T00:00:00Z',
        place: { name: attack, admin1: attack, country: attack, timezone: attack },
        notes: [attack, attack],
      };
      const forecast = {
        asked: String(JSON.stringify(args)),
        forecast: facts,
        alerts: { alerts: [{ ...alert, description: huge }, alert, alert] },
      };
      const failed = { asked: attack, message: attack, candidates: [{ place: attack, name: attack }] };
      const places = [forecast, { ...forecast, alerts: { message: attack } }, failed];
      return { content: [], structuredContent: { now: '1970-01-01T00:00:00Z', places } };
    });
    await frame.$$eval('details', (all) => {
      for (const each of all) each.setAttribute('open', '');
    });
    const state = await frame.evaluate(`({
      hacked: globalThis.hacked,
      scripts: document.scripts.length,
      images: document.images.length,
      overflow: document.documentElement.scrollWidth - innerWidth,
      bidi: /[\\u202a-\\u202e\\u2066-\\u2069\\u0000]/.test(document.body.textContent),
      length: document.body.textContent.length < 200_000,
      height: document.documentElement.scrollHeight < 30_000,
    })`);
    expect(state).toEqual({ scripts: 1, images: 0, overflow: 0, bidi: false, length: true, height: true });
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(errors).toEqual([]);
  });
});

afterAll(() => {
  if (!isRunnable) process.stdout.write(`Skipped: the view of the weather: there is no "${chromium}"\n`);
});
