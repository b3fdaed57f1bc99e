import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Answer, TodoClient } from './todo-client.ts';

/** A server at work: its client, and the directory of its lists. */
export interface Session {
  readonly client: TodoClient;
  readonly directory: string;
  /** The questions that the server has asked. */
  readonly questions: readonly string[];
}

/** One capability; `run` rejects if the server does not have it. */
export interface Check {
  readonly name: string;
  readonly about: string;
  readonly run: (open: (answer?: Answer) => Promise<Session>) => Promise<void>;
}

/** The lists at the beginning of each session. */
export const startingLists = { home: 'Buy milk\nBuy bread\n', work: 'Write a report\n' };

const linesOf = async (directory: string, list: string) =>
  (await readFile(join(directory, `${list}.txt`), 'utf8')).split('\n').length - 1;

export const checks: readonly Check[] = [
  {
    name: 'tool',
    about: 'a tool with checked arguments and structured output',
    async run(open) {
      const { client, directory } = await open();
      const result = await client.callTool('add_todo', { list: 'home', entry: 'Buy tea' });
      assert.deepEqual(result.structuredContent, { entries: 3 }, 'no structured content');
      assert.ok(await isRefused(client.callTool('add_todo', { list: 'home', entry: '' })), 'not checked');
      assert.equal(await linesOf(directory, 'home'), 3);
    },
  },
  {
    name: 'question',
    about: 'a question to the user in a call, accepted and declined; refused where the client has no forms',
    async run(open) {
      const accepting = await open('accept');
      const cleared = await accepting.client.callTool('clear_list', { list: 'home' });
      assert.ok(!cleared.isError, textOf(cleared));
      assert.equal(accepting.questions.length, 1, 'the user was not asked');
      assert.equal(await linesOf(accepting.directory, 'home'), 0, 'not cleared');
      const declining = await open('decline');
      await declining.client.callTool('clear_list', { list: 'home' });
      assert.equal(declining.questions.length, 1, 'the user was not asked');
      assert.equal(await linesOf(declining.directory, 'home'), 2, 'cleared against the answer');
      const silent = await open('cannot');
      assert.ok(await isRefused(silent.client.callTool('clear_list', { list: 'home' })), 'not refused');
      assert.equal(await linesOf(silent.directory, 'home'), 2, 'cleared without a question');
    },
  },
  {
    name: 'progress',
    about: 'progress of a call',
    async run(open) {
      const { client } = await open();
      const steps: number[] = [];
      const entries = Array.from({ length: 40 }, (_, index) => `Entry ${index}`);
      const onProgress = (done: number) => void steps.push(done);
      await client.callTool('import_todos', { list: 'home', entries }, { onProgress });
      const expected = Array.from(steps, (_, index) => index + 1);
      assert.deepEqual(steps, expected, `steps ${steps.join(', ')}`);
      // The official client drops notifications that arrive together with the result, as the last ones may.
      assert.ok(steps.length >= 20, `${steps.length} of 40 steps`);
    },
  },
  {
    name: 'cancellation',
    about: 'work that ends when the client cancels the call',
    async run(open) {
      const { client, directory } = await open();
      const stop = new AbortController();
      const entries = Array.from({ length: 300 }, (_, index) => `Entry ${index}`);
      const call = client.callTool('import_todos', { list: 'home', entries }, { signal: stop.signal });
      while ((await linesOf(directory, 'home')) < 5) await setTimeout(5);
      stop.abort();
      await assert.rejects(call);
      let done = 0;
      for (let now = -1; now !== done; now = await linesOf(directory, 'home')) {
        done = now;
        await setTimeout(500);
      }
      assert.ok(done < entries.length, 'all of the work was done after the client had cancelled it');
    },
  },
  {
    name: 'template',
    about: 'a resource template, read; an error for what does not exist',
    async run(open) {
      const { client } = await open();
      const template = await templateOf(client);
      assert.equal(await client.read(uriOf(template, 'home')), startingLists.home);
      assert.equal(await client.read(uriOf(template, 'work')), startingLists.work);
      await assert.rejects(client.read(uriOf(template, 'nothing')));
    },
  },
  {
    name: 'completion',
    about: 'completion of the variable of the template',
    async run(open) {
      const { client } = await open();
      const suggestions = await client.complete(await templateOf(client), 'list', 'ho');
      assert.deepEqual(suggestions, ['home'], `suggestions for "ho": ${suggestions.join(', ') || 'none'}`);
    },
  },
  {
    name: 'subscription',
    about: 'a notification after another program has changed the file of a subscribed resource',
    async run(open) {
      const { client, directory } = await open();
      const template = await templateOf(client);
      const { promise, resolve } = Promise.withResolvers<string>();
      await client.subscribe(uriOf(template, 'home'), resolve);
      await writeFile(join(directory, 'work.txt'), 'Another report\n');
      // One change after the other, because a server may lose the first one.
      let updated: string | undefined;
      for (let change = 1; change <= 5 && updated === undefined; change++) {
        await writeFile(join(directory, 'home.txt'), `Buy ${change} pounds of salt\n`);
        updated = await Promise.race([promise, setTimeout(1000, undefined)]);
      }
      assert.ok(updated, 'no notification of five changes within five seconds');
      assert.equal(
        updated,
        uriOf(template, 'home'),
        `a notification of ${updated}, which was not subscribed`,
      );
    },
  },
  {
    name: 'prompt',
    about: 'a prompt with an argument',
    async run(open) {
      const { client } = await open();
      const text = await client.prompt('plan_day', { list: 'home' });
      assert.ok(text.includes('Buy milk'), text);
    },
  },
];

const textOf = (result: object) => JSON.stringify(result);

async function isRefused(call: Promise<{ readonly isError?: boolean | undefined }>): Promise<boolean> {
  try {
    return (await call).isError === true;
  } catch {
    return true;
  }
}

async function templateOf(client: TodoClient): Promise<string> {
  const [template] = await client.templates();
  assert.ok(template, 'the server lists no resource template');
  return template;
}

const uriOf = (template: string, list: string) => template.replace('{list}', list);
