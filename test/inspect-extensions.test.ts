import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TemporaryDirectory } from '@mcp/test-kit';
import { bundledProgram } from '@mcp/test-kit/bundled-program';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromium } from './views/bundle-script.ts';
import type * as Inspector from './views/inspector-page.ts';

// Tasks on the page of `mcp inspect`, in Chromium.

const isRunnable = inject('official') && existsSync(chromium);
const { InspectorPage } = isRunnable ? await import('./views/inspector-page.ts') : ({} as typeof Inspector);
const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));

describe.skipIf(!isRunnable)('the page of the inspector', () => {
  const directory = new TemporaryDirectory('inspect-extensions');
  let inspector: Inspector.InspectorPage;
  let page: Inspector.InspectorPage['page'];

  beforeAll(async () => {
    const node = (...args: string[]) => ({ command: process.execPath, args });
    const ends = directory.put('ends.txt', 'start\n');
    const servers = {
      lab: node(bundledProgram(local('views/extension-lab.ts')), ends),
      core: node(local('../packages/host/test/core-tasks-server.mjs')),
    };
    inspector = await InspectorPage.open({ width: 1280 }, servers);
    ({ page } = inspector);
  });

  afterAll(async () => {
    expect(inspector.errors).toEqual([]);
    await inspector[Symbol.asyncDispose]();
    directory[Symbol.dispose]();
  });

  /** Calls a tool as a task, and returns what the page shows of it at first. */
  const start = async (tool: string) => {
    await inspector.choose(tool);
    await page.waitForSelector(`main h2 ::-p-text(${tool})`);
    await page.locator('form .check ::-p-text(As a task)').click();
    return inspector.call();
  };
  const shows = (selector: string, text: string) => page.waitForSelector(`${selector} ::-p-text(${text})`);

  test('shows the state of a task, and its result', async () => {
    expect(await start('job')).toMatch(/^working/);
    await shows('.task .marks', 'Working');
    // The page does something else, and comes back.
    await inspector.choose('quick');
    await page.waitForSelector('main h2 ::-p-text(quick)');
    await page.click('#items button ::-p-text(job )');
    await shows('.task .marks', 'working');
    directory.put('ends.txt', 'end\n');
    await shows('.task .marks', 'completed');
    await shows('.task .answer', 'The job is done');
  });

  test('cancels a task', async () => {
    await start('job');
    await page.locator('.task ::-p-text(Cancel the task)').click();
    await shows('.task .marks', 'cancelled');
    expect(await inspector.textOf('.task .trouble')).toContain('was cancelled');
  });

  test('asks the questions of a task', async () => {
    await start('survey');
    expect(await inspector.textOf('.question')).toMatch(/^lab asks\s+Which colour\?/);
    await page.select('.question select', '1');
    await page.click('.question .primary');
    await shows('.task .answer', '"colour":"blue"');
  });

  test('shows the answer of a call that becomes no task', async () => {
    expect(await start('quick')).toMatch(/^ok[^]*At once/);
  });

  test('lists the tasks of a server that has a list, at 2025-11-25', async () => {
    await inspector.server('core');
    await page.locator('#items button ::-p-text(core-1)').click();
    await shows('.task .answer', 'the core result');
    await inspector.choose('quick');
    await page.waitForSelector('main h2 ::-p-text(quick)');
    // The tool says that its calls are no tasks.
    expect(await page.$('form .check')).toBeNull();
    expect(await start('job')).toMatch(/^completed/);
  });
});
