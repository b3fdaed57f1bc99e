import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  type Answer,
  type Call,
  definePrompt,
  defineResource,
  defineServer,
  defineTool,
  elicit,
  elicitUrl,
  inputRequired,
  listRoots,
  sampleModel,
  textContent,
  type Tool,
  type Wrap,
} from '@mcp/protocol';
import { callerState, memoryState } from '@mcp/protocol/state';
import { connect } from '@mcp/protocol/testing';
import * as z from 'zod';
import { atEveryRevision } from './every-revision.ts';
import { Wire } from './requirements/wire.ts';

const size = z.object({ size: z.enum(['small', 'large']) });
const count = z.object({ count: z.number().int() });

/** What the tool `order` has done: each run of its handler, and the work of `once`. */
interface Log {
  readonly runs: string[];
}

const order = (log: Log, prepare: () => unknown = () => 'packed') =>
  defineTool({
    name: 'order',
    description: 'Orders tea.',
    async run(_, { ask, once }) {
      log.runs.push('run');
      const which = await ask('which', elicit('Which size?', size));
      if (!which) return 'No size';
      const prepared = await once('prepare', async () => {
        log.runs.push('prepare');
        return prepare();
      });
      const many = await ask('many', elicit(`How many ${which.size} ones?`, count));
      return `${many?.count ?? 'no'} ${which.size} ${String(prepared)}`;
    },
  });

const serving = (...tools: Tool<object>[]) => defineServer({ name: 'shop', version: '1.0.0', tools });

/** Answers each question of a user by its text. */
const answering =
  (answers: { readonly [message: string]: object }, asked: string[] = []) =>
  async ({ message }: { message: string }) => {
    asked.push(message);
    const content = answers[message];
    return content
      ? { action: 'accept' as const, content: content as never }
      : { action: 'decline' as const };
  };

const both = { 'Which size?': { size: 'large' }, 'How many large ones?': { count: 2 } };

async function textOf(client: Awaited<ReturnType<typeof connect>>, name: string): Promise<unknown> {
  const { content } = await client.callTool(name);
  return (content[0] as { text?: unknown }).text;
}

atEveryRevision((revision) => {
  test('the model and the roots are asked in the same way', async () => {
    const tool = defineTool({
      name: 'look',
      description: 'Asks the model about the roots.',
      async run(_, { ask }) {
        const { roots } = await ask('roots', listRoots());
        const message = { role: 'user' as const, content: textContent(`Name ${roots[0]!.uri}`) };
        const { content } = await ask('name', sampleModel({ messages: [message], maxTokens: 9 }));
        return JSON.stringify(content);
      },
    });
    await using client = await connect(serving(tool), {
      revision,
      roots: async () => [{ uri: 'file:///home' }],
      sample: async ({ messages }) => ({
        role: 'assistant',
        model: 'm',
        content: [messages[0]!.content].flat()[0] as never,
      }),
    });
    expect(await textOf(client, 'look')).toContain('Name file:///home');
  });

  if (revision < '2025-06-18') return;

  test('a handler gets its answers where it asks, and its work is done once', async () => {
    const log: Log = { runs: [] };
    const asked: string[] = [];
    await using client = await connect(serving(order(log)), { revision, elicit: answering(both, asked) });
    expect(await textOf(client, 'order')).toBe('2 large packed');
    expect(asked).toEqual(['Which size?', 'How many large ones?']);
    expect(log.runs).toEqual(['run', 'run', 'prepare', 'run']);
    log.runs.length = 0;
    expect(await textOf(client, 'order')).toBe('2 large packed');
    expect(log.runs).toEqual(['run', 'run', 'prepare', 'run']);
  });

  test('the work of `once` may return nothing', async () => {
    const log: Log = { runs: [] };
    await using client = await connect(serving(order(log, () => undefined)), {
      revision,
      elicit: answering(both),
    });
    expect(await textOf(client, 'order')).toBe('2 large undefined');
    expect(log.runs).toEqual(['run', 'run', 'prepare', 'run']);
  });

  test('a user who declines is undefined', async () => {
    await using client = await connect(serving(order({ runs: [] })), { revision, elicit: answering({}) });
    expect(await textOf(client, 'order')).toBe('No size');
  });

  test('questions that are asked together are sent together', async () => {
    let rounds = 0;
    const tool = defineTool({
      name: 'both',
      description: 'Asks two questions.',
      async run(_, { ask }) {
        rounds++;
        const [which, many] = await Promise.all([
          ask('which', elicit('Which size?', size)),
          ask('many', elicit('How many?', count)),
        ]);
        return JSON.stringify([which, many]);
      },
    });
    const elicit_ = answering({ 'Which size?': { size: 'small' }, 'How many?': { count: 1 } });
    await using client = await connect(serving(tool), { revision, elicit: elicit_ });
    expect(await textOf(client, 'both')).toBe('[{"size":"small"},{"count":1}]');
    expect(rounds).toBe(2);
  });

  test('prompts and resources ask too', async () => {
    const name = z.object({ name: z.string() });
    const server = defineServer({
      name: 'greeter',
      version: '1.0.0',
      prompts: [
        definePrompt({
          name: 'greet',
          description: 'Greets the user.',
          run: async (_, { ask }) => `Hello ${(await ask('name', elicit('Who?', name)))?.name}`,
        }),
      ],
      resources: [
        defineResource({
          uri: 'greeting:///one',
          name: 'greeting',
          read: async (_, { ask }) => `Hello ${(await ask('name', elicit('Who?', name)))?.name}`,
        }),
      ],
    });
    await using client = await connect(server, { revision, elicit: answering({ 'Who?': { name: 'Ada' } }) });
    expect(JSON.stringify(await client.getPrompt('greet'))).toContain('Hello Ada');
    expect(JSON.stringify(await client.readResource('greeting:///one'))).toContain('Hello Ada');
  });

  test('a function around the handler gets the questions as a value', async () => {
    const seen: string[] = [];
    const wrap: Wrap<object> = async (_, next) => {
      const value = await next();
      seen.push(typeof value === 'string' ? value : (value as object).constructor.name);
      return value;
    };
    const server = defineServer({
      name: 'shop',
      version: '1.0.0',
      tools: [order({ runs: [] })],
      wrap: [wrap],
    });
    await using client = await connect(server, { revision, elicit: answering(both) });
    expect(await textOf(client, 'order')).toBe('2 large packed');
    expect(seen).toEqual(['InputRequired', 'InputRequired', '2 large packed']);
  });

  describe('mistakes', () => {
    const failing = async (run: (args: object, call: Call) => Promise<string | void>) => {
      const tool = defineTool({ name: 'wrong', description: 'Asks wrongly.', run });
      await using client = await connect(serving(tool), { revision, elicit: answering(both) });
      return await client.callTool('wrong').then(
        ({ content }) => (content[0] as { text: string }).text,
        (error: Error) => error.message,
      );
    };
    const which = elicit('Which size?', size);

    test('a key that is used twice', async () => {
      const twice = await failing(async (_, { ask }) => {
        await ask('which', which);
        await ask('which', which);
      });
      expect(twice).toBe('The question "which" was used before in this call; give each its own key');
    });

    test('an error of `ask` that is caught', async () => {
      const caught = await failing((_, { ask }) => ask('which', which).then(String, () => 'ignored'));
      expect(caught).toContain('await `ask`, and let its error leave the handler');
    });

    test('a question that is not awaited', async () => {
      const left = await failing(async (_, { ask }) => void ask('which', which));
      expect(left).toContain('a question of `ask` has no answer yet');
    });

    test('a question that a handler without promises leaves', async () => {
      const left = await failing(((_: object, { ask }: Call) => {
        void ask('which', which);
        return 'done';
      }) as never);
      expect(left).toContain('a question of `ask` has no answer yet');
    });

    test('an answer that does not fit the form', async () => {
      const wrong = await failing(async (_, { ask }) => {
        await ask('which', elicit('Which size?', count));
      });
      expect(wrong).toMatch(/^The answer does not fit the form: /);
    });

    test('questions without end, because each run asks with another key', async () => {
      let next = 0;
      const endless = await failing(async (_, { ask }) => {
        await ask(`which ${next++}`, which);
      });
      expect(endless).toContain('20 times');
      expect(endless).toContain('the keys and the texts of its questions must be the same in each run');
      expect(next).toBeLessThanOrEqual(21);
    });
  });

  test('an answer counts only for the question that was shown', async () => {
    let files = 1;
    const asked: string[] = [];
    const tool = defineTool({
      name: 'delete',
      description: 'Deletes files.',
      async run(_, { ask }) {
        const confirmed = await ask('sure', elicit(`Delete ${files} files?`, z.object({ yes: z.boolean() })));
        return confirmed?.yes ? `Deleted ${files}` : 'Kept';
      },
    });
    await using client = await connect(serving(tool), {
      revision,
      elicit: async ({ message }) => {
        asked.push(message);
        files = 2;
        return { action: 'accept', content: { yes: true } };
      },
    });
    expect(await textOf(client, 'delete')).toBe('Deleted 2');
    expect(asked).toEqual(['Delete 1 files?', 'Delete 2 files?']);
  });
});

test('an answer that nobody asked for, or of another request, is no answer', async () => {
  const log: Log = { runs: [] };
  const wire = await Wire.open(serving(order(log)), '2026-07-28', { capabilities: { elicitation: {} } });
  const answer = { action: 'accept', content: { size: 'large' } };
  const unasked = await wire.ask('tools/call', { name: 'order', inputResponses: { which: answer } });
  expect(unasked).toMatchObject({ result: { resultType: 'input_required' } });
  const { requestState } = (unasked as unknown as { result: { requestState: string } }).result;
  const forged = await wire.ask('tools/call', {
    name: 'order',
    arguments: { other: 1 },
    requestState,
    inputResponses: { which: answer },
  });
  expect(JSON.stringify(forged)).not.toContain('How many');
  const early = await wire.ask('tools/call', {
    name: 'order',
    requestState,
    inputResponses: { which: answer, many: { action: 'accept', content: { count: 9 } } },
  });
  expect(early).toMatchObject({
    result: { inputRequests: { many: { params: { message: 'How many large ones?' } } } },
  });
  await wire.end();
});

test.each(['constructor', '__proto__'])('a question with the key %s may stay unanswered', async (key) => {
  const tool = defineTool({
    name: 'order',
    description: 'Orders tea.',
    run: async (_, { ask }) => (await ask(key, elicit('Which size?', size)))?.size ?? 'none',
  });
  const wire = await Wire.open(serving(tool), '2026-07-28', { capabilities: { elicitation: {} } });
  const question = { resultType: 'input_required', requestState: expect.any(String) };
  const first = await wire.ask('tools/call', { name: 'order' });
  expect(first).toMatchObject({ result: question });
  const { requestState } = (first as unknown as { result: { requestState: string } }).result;
  const again = await wire.ask('tools/call', { name: 'order', requestState, inputResponses: {} });
  expect(again).toMatchObject({ result: question });
  const inputResponses = Object.fromEntries([[key, { action: 'accept', content: { size: 'large' } }]]);
  const answered = await wire.ask('tools/call', { name: 'order', requestState, inputResponses });
  expect(answered).toMatchObject({ result: { content: [{ text: 'large' }] } });
  await wire.end();
});

test('`ask` stands beside `inputRequired`, and keeps its state', async () => {
  const tool = defineTool({
    name: 'mixed',
    description: 'Asks in both ways.',
    async run(_, { ask, inputs, state }) {
      const which = await ask('which', elicit('Which size?', size));
      if (!inputs['many']) return inputRequired({ many: elicit('How many large ones?', count) }, 'kept');
      return `${which?.size} ${String(state)}`;
    },
  });
  await using client = await connect(serving(tool), { revision: '2026-07-28', elicit: answering(both) });
  expect(await textOf(client, 'mixed')).toBe('large kept');
});

test('answers have the types of their questions', () => {
  const form = elicit('Which size?', size);
  const page = elicitUrl('Sign in', 'https://example.com');
  expectTypeOf<Answer<typeof form>>().toEqualTypeOf<{ size: 'small' | 'large' } | undefined>();
  expectTypeOf<Answer<typeof page>>().toEqualTypeOf<boolean>();
});

describe('work of `once`', () => {
  const yes = z.object({ y: z.boolean() });
  const elicitYes = async () => ({ action: 'accept' as const, content: { y: true } });

  test.each(['2025-11-25', '2026-07-28'])('ends before the questions are sent, at %s', async (revision) => {
    const done: string[] = [];
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const part = async ({ ask, once }: Call, name: string, until: Promise<void>) => {
      await once(name, async () => {
        await until;
        done.push(name);
      });
      await ask(`wrap ${name}`, elicit(`Wrap ${name}?`, yes));
    };
    const buy = defineTool({
      name: 'buy',
      description: 'Buys.',
      async run(_, call) {
        await Promise.all([part(call, 'tea', Promise.resolve()), part(call, 'cake', released)]).finally(
          release,
        );
        return 'bought';
      },
    });
    await using client = await connect(serving(buy), { revision, elicit: elicitYes });
    expect(await textOf(client, 'buy')).toBe('bought');
    expect(done).toEqual(['tea', 'cake']);
  });

  test('has the same result in each run', async () => {
    const seen: unknown[] = [];
    const tool = defineTool({
      name: 'date',
      description: 'Makes a date.',
      async run(_, { ask, once }) {
        seen.push(await once('date', () => new Date(0)));
        await ask('sure', elicit('Sure?', yes));
      },
    });
    await using client = await connect(serving(tool), { elicit: elicitYes });
    await client.callTool('date');
    expect(seen).toEqual(['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z']);
  });

  test.each([
    ['a bigint', () => 1n, /must be a JSON value/],
    ['too long', () => 'x'.repeat(100_000), /is too long: 100002 characters; at most 100000/],
  ])('whose result is %s', async (_, work, expected) => {
    const tool = defineTool({
      name: 'wrong',
      description: 'Works.',
      run: async (_args, { once }) => String(await once('it', work as () => unknown)),
    });
    await using client = await connect(serving(tool));
    expect(await textOf(client, 'wrong')).toMatch(expected);
  });
});

test('answers to `ask` are no answers to `inputRequired`', async () => {
  const sure = z.object({ yes: z.boolean() });
  const tool = defineTool({
    name: 'delete',
    description: 'Deletes all.',
    async run(_, { ask, inputs }) {
      await ask('it', elicit('Keep a copy?', sure));
      return inputs['it'] ? 'Deleted' : inputRequired({ it: elicit('Delete all?', sure) });
    },
  });
  const asked: string[] = [];
  await using client = await connect(serving(tool), {
    elicit: answering({ 'Keep a copy?': { yes: true }, 'Delete all?': { yes: true } }, asked),
  });
  expect(await textOf(client, 'delete')).toBe('Deleted');
  expect(asked).toEqual(['Keep a copy?', 'Delete all?']);
});

test('a question after an `increment` gets a clear error, unless the `increment` is in `once`', async () => {
  const state = memoryState();
  const visit = (
    name: string,
    counted: (call: Call<object>, count: () => Promise<number>) => Promise<number>,
  ) =>
    defineTool({
      name,
      description: 'Asks after a visit is counted.',
      async run(_, call) {
        const visits = await counted(call, () => callerState(state, call).increment(name));
        const which = await call.ask('which', elicit('Which size?', size));
        return `${which?.size} at visit ${visits}, then ${await callerState(state, call).increment(name)}`;
      },
    });
  const server = serving(
    visit('repeated', (_, count) => count()),
    visit('kept', ({ once }, count) => once('visit', count)),
  );
  await using client = await connect(server, { elicit: answering({ 'Which size?': { size: 'small' } }) });
  expect(await client.callTool('repeated')).toMatchObject({
    isError: true,
    content: [
      {
        text: 'The question "which" comes after `increment` of the state "repeated", and the handler runs again with the answer: ask first, or put this into `once`',
      },
    ],
  });
  expect(await client.callTool('kept')).toMatchObject({ content: [{ text: 'small at visit 1, then 2' }] });
});

test('a list that asks gets a clear error', async () => {
  const server = defineServer({
    name: 'lists',
    version: '1.0.0',
    resources: [
      defineResource({
        uri: 'note:///{id}',
        name: 'note',
        read: () => '',
        async list({ ask }) {
          await ask('which', elicit('Which?', z.object({})));
          return [];
        },
      }),
    ],
  });
  await using client = await connect(server, { elicit: elicitNothing });
  await expect(client.listResources()).rejects.toThrow('only for handlers of tools, prompts, resources');
});

const elicitNothing = async () => ({ action: 'decline' as const });
