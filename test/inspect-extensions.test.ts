import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TemporaryDirectory } from '@mcp/test-kit';
import { bundledProgram } from '@mcp/test-kit/bundled-program';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type * as Official from './official/browser.ts';
import { chromium } from './views/bundle-script.ts';
import type * as Inspector from './views/inspector-page.ts';

// Tasks and skills on the page of `mcp inspect`, in Chromium.

const isRunnable = inject('official') && existsSync(chromium);
const { axe } = isRunnable ? await import('./official/browser.ts') : ({} as typeof Official);
const { InspectorPage } = isRunnable ? await import('./views/inspector-page.ts') : ({} as typeof Inspector);
const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));

describe.skipIf(!isRunnable)('the page of the inspector', () => {
  const directory = new TemporaryDirectory('inspect-extensions');
  let inspector: Inspector.InspectorPage;
  let page: Inspector.InspectorPage['page'];

  beforeAll(async () => {
    const node = (...args: string[]) => ({ command: process.execPath, args });
    const ends = directory.put('ends.txt', 'start\n');
    const skill = '---\nname: greet\ndescription: Greets.\nlicense: MIT\n---\nSay <b>hello</b>.\n';
    directory.put('greet/SKILL.md', skill);
    directory.put('greet/more/a b.md', 'Say it twice.\n');
    const skills = local('../packages/host/test/skill-server.ts');
    const servers = {
      lab: node(bundledProgram(local('views/extension-lab.ts')), ends, join(directory.root, 'greet')),
      core: node(local('../packages/host/test/core-tasks-server.mjs')),
      liar: node(bundledProgram(skills), '--lie', 'digest'),
      dynamic: node(bundledProgram(skills), '--lie', 'dynamic'),
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

  test('shows the files of a skill, which have their digests', async () => {
    await inspector.server('lab');
    await inspector.choose('greet');
    await page.waitForSelector('main h2 ::-p-text(greet)');
    const files = () => inspector.textOf('main .findings').then((text) => text.split(/\s*\n\s*/));
    expect(await inspector.textOf('main')).toContain('license MIT');
    const digest: unknown = expect.stringMatching(/^sha256:/);
    expect(await files()).toEqual(
      [
        ['72 B', 'not read', 'SKILL.md', digest],
        ['14 B', 'not read', 'more/a b.md', digest],
      ].flat(),
    );
    await page.click('main .findings ::-p-text(more/a b.md)');
    await shows('main .prose', 'Say it twice.');
    expect((await files())[5]).toBe('verified');
    await page.click('main .primary ::-p-text(Verify)');
    await shows('main .findings li:first-child .level', 'verified');
    await page.evaluate(axe.source);
    expect(await page.evaluate('axe.run().then(({ violations }) => violations)')).toEqual([]);
  });

  test.each([
    ['liar', 'a.md', 'has the digest'],
    ['dynamic', 'SKILL.md', 'The content is dynamic'],
  ])('says what of the skill of the server "%s" is not verified', async (server, file, reason) => {
    await inspector.server(server);
    await page.locator('#items button').click();
    await page.locator(`main .findings button ::-p-text(${file})`).click();
    await shows('main .findings .fault .level', 'not verified');
    expect(await inspector.textOf('main .findings .fault .quiet')).toContain(reason);
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
