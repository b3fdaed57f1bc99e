import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromium } from './views/bundle-script.ts';
import type * as Inspector from './views/inspector-page.ts';

// The views of official example servers, as they are published, on the page of `mcp inspect` in Chromium.

const isRunnable = inject('official') && existsSync(chromium);
const { InspectorPage } = isRunnable ? await import('./views/inspector-page.ts') : ({} as typeof Inspector);

/** The tool of each server, and what its view shows of the result. */
const servers = {
  'basic-vanillajs': ['get-time', /Server Time:\s+\d{4}-/],
  'budget-allocator': ['get-budget-data', /Marketing[^]*Allocated: \$100,000/],
  'cohort-heatmap': ['get-cohort-data', /Cohort Retention Analysis[^]*M0\s+M1/],
  'customer-segmentation': ['get-customer-data', /Customer Segmentation[^]*Annual Revenue/],
  'scenario-modeler': ['get-scenario-data', /SaaS Scenario Modeler[^]*Bootstrapped Growth/],
  'system-monitor': ['get-system-info', /System Monitor[^]*Hostname/],
} as const;

const programOf = (name: string) =>
  fileURLToPath(
    new URL(`official/node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url),
  );

describe.skipIf(!isRunnable)('on the page of the inspector, the view of', () => {
  let inspector: Inspector.InspectorPage;
  let page: Inspector.InspectorPage['page'];

  beforeAll(async () => {
    const entries = Object.keys(servers).map((name) => [
      name,
      { command: process.execPath, args: [programOf(name), '--stdio'] },
    ]);
    inspector = await InspectorPage.open({ width: 1280, height: 1400 }, Object.fromEntries(entries));
    ({ page } = inspector);
  });

  afterAll(async () => {
    // Nothing has failed, and the policy had nothing to refuse.
    expect(inspector.errors).toEqual([]);
    await inspector[Symbol.asyncDispose]();
  });

  const view = () => page.frames().findLast((each) => each.url() === 'about:srcdoc')!;

  test.each(Object.entries(servers))('%s', async (name, [tool, shown]) => {
    await inspector.server(name);
    await inspector.choose(tool);
    await page.waitForSelector('main .kind-of ::-p-text(Tool)');
    await page.click('form .primary');
    await page.waitForFunction(`/\\d/.test(document.querySelector('.view [role=status]')?.textContent)`);
    await view().waitForFunction(`${String(shown)}.test(document.body.innerText)`);
    if (name !== 'basic-vanillajs') return;
    // It calls its server, and speaks to its host.
    const time = () => view().evaluate('document.body.innerText.match(/Server Time:\\s+(\\S+)/)[1]');
    const before = await time();
    await view().click('::-p-text(Get Server Time)');
    await view().waitForFunction(`!document.body.innerText.includes(${JSON.stringify(before)})`);
    await view().click('::-p-text(Send Message)');
    await page.waitForSelector('.view li ::-p-text(This is message text.)');
    await view().click('::-p-text(Open Link)');
    await page.waitForSelector('.view code ::-p-text(https://modelcontextprotocol.io/)');
  });
});
