import { expect } from 'vitest';
import { z } from 'zod';
import { definePrompt, defineResource } from '@mcp/protocol';
import { requirement } from './requirement.ts';
import { example, stamped, Wire } from './wire.ts';

const words = ['python', 'pytorch', 'pyside'];

const seen: unknown[] = [];

const review = definePrompt({
  name: 'review',
  description: 'Asks for a review.',
  inputSchema: z.object({ language: z.string(), framework: z.string(), note: z.string().optional() }),
  complete: {
    language: (typed) => words.filter((word) => word.startsWith(typed)),
    framework: (typed, { arguments: others }) => {
      seen.push([typed, others]);
      return others['language'] === 'python' ? ['flask'] : [];
    },
  },
  run: () => 'Review',
});

const file = defineResource({
  uri: 'file:///{+path}',
  name: 'file',
  read: () => '',
  complete: {
    path: (typed) => {
      if (typed === 'fail') throw new Error('The disk is on fire');
      if (typed === 'many') return Array.from({ length: 250 }, (_, index) => `file-${index}`);
      if (typed === 'counted') return { values: ['a', 'b'], total: 1_000 };
      if (typed === 'open') return { values: ['a'], hasMore: true };
      return Promise.resolve([typed]);
    },
  },
});

const server = example({ prompts: [review], resources: [file] });
const ofPrompt = { type: 'ref/prompt', name: 'review' };
const ofFile = { type: 'ref/resource', uri: 'file:///{+path}' };

requirement('COMP-01', 'a server with completers declares the capability', async (version) => {
  expect(await (await Wire.open(server, version)).capabilities()).toEqual({
    prompts: {},
    resources: {},
    completions: {},
  });
});

requirement(
  ['COMP-02', 'COMP-04'],
  'suggestions have the order of the completer, and a total',
  async (version) => {
    const wire = await Wire.open(server, version);
    expect(
      await wire.result('completion/complete', {
        ref: ofPrompt,
        argument: { name: 'language', value: 'py' },
      }),
    ).toEqual(stamped(version, { completion: { values: words, total: 3, hasMore: false } }));
  },
);

requirement('COMP-02', 'a completion never has more than 100 suggestions', async (version) => {
  const wire = await Wire.open(server, version);
  const complete = async (value: string) =>
    (await wire.result('completion/complete', { ref: ofFile, argument: { name: 'path', value } }))[
      'completion'
    ];
  expect(await complete('many')).toEqual({
    values: Array.from({ length: 100 }, (_, index) => `file-${index}`),
    total: 250,
    hasMore: true,
  });
  expect(await complete('counted')).toEqual({ values: ['a', 'b'], total: 1_000, hasMore: true });
  expect(await complete('open')).toEqual({ values: ['a'], hasMore: true });
});

requirement(['COMP-03', 'COMP-06'], 'completion of an unknown reference is refused', async (version) => {
  const wire = await Wire.open(server, version);
  const argument = { name: 'language', value: 'py' };
  for (const [params, message] of [
    [{}, '"ref" must be an object'],
    [{ ref: ofPrompt }, '"argument" must be an object'],
    [{ ref: ofPrompt, argument: {} }, '"name" must be a string'],
    [{ ref: ofPrompt, argument: { name: 'language' } }, '"value" must be a string'],
    [{ ref: ofPrompt, argument: { name: 'language', value: 7 } }, '"value" must be a string'],
    [{ ref: { type: 'ref/tool' }, argument }, '"ref.type" must be "ref/prompt" or "ref/resource"'],
    [{ ref: { type: 'ref/prompt' }, argument }, '"name" must be a string'],
    [{ ref: { type: 'ref/prompt', name: 'missing' }, argument }, 'Unknown prompt: "missing"'],
    [
      { ref: { type: 'ref/resource', uri: 'absent:///{here}' }, argument },
      'Unknown resource template: "absent:///{here}"',
    ],
    [
      { ref: ofPrompt, argument: { name: '__proto__', value: '' } },
      'The prompt "review" has no argument "__proto__"',
    ],
    [{ ref: ofFile, argument }, 'The resource "file:///{+path}" has no argument "language"'],
    [
      { ref: ofPrompt, argument, context: { arguments: { framework: 7 } } },
      '"arguments.framework" must be a string',
    ],
  ] as const) {
    expect(await wire.error('completion/complete', params)).toEqual({ code: -32602, message });
  }
});

requirement(
  'COMP-03',
  'an error of a completer is an internal error, and without completers the method does not exist',
  async (version) => {
    const wire = await Wire.open(server, version);
    const argument = { name: 'path', value: 'fail' };
    expect(await wire.error('completion/complete', { ref: ofFile, argument })).toEqual({
      code: -32603,
      message: 'The disk is on fire',
    });
    const without = await Wire.open(example(), version);
    expect(await without.error('completion/complete', { ref: ofFile, argument })).toMatchObject({
      code: -32601,
    });
  },
);

requirement('COMP-06', 'an argument without a completer gets an empty list', async (version) => {
  const wire = await Wire.open(server, version);
  const argument = { name: 'note', value: '' };
  expect(await wire.result('completion/complete', { ref: ofPrompt, argument })).toEqual(
    stamped(version, { completion: { values: [], total: 0, hasMore: false } }),
  );
});

requirement('COMP-07', 'the completer gets the values that are already chosen', async (version) => {
  const wire = await Wire.open(server, version);
  const params = { ref: ofPrompt, argument: { name: 'framework', value: 'fla' } };
  const context = { arguments: { language: 'python' } };
  seen.length = 0;
  expect(await wire.result('completion/complete', { ...params, context })).toMatchObject({
    completion: { values: ['flask'] },
  });
  expect(await wire.result('completion/complete', params)).toMatchObject({ completion: { values: [] } });
  expect(await wire.result('completion/complete', { ...params, context: {} })).toMatchObject({
    completion: { values: [] },
  });
  expect(seen).toEqual([
    ['fla', { language: 'python' }],
    ['fla', {}],
    ['fla', {}],
  ]);
});
