import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import {
  type Call,
  definePrompt,
  defineResource,
  defineServer,
  defineTool,
  jsonSchema,
  type Server,
  UriTemplate,
} from '@mcp/protocol';

// Checked by the compiler: a line marked with an expected error fails the type check when it compiles.

type Notes = { readonly notes: Map<string, string> };

test("a tool's arguments follow from its schema, defaults filled in", () => {
  defineTool({
    name: 'a',
    description: '',
    input: z.object({ path: z.string(), head: z.int().optional(), all: z.boolean().default(false) }),
    run(args) {
      expectTypeOf(args).toEqualTypeOf<{ path: string; head?: number | undefined; all: boolean }>();
    },
  });
  defineTool({
    name: 'b',
    description: '',
    input: jsonSchema({ type: 'object' }, (value) => value as { id: number }),
    run(args) {
      expectTypeOf(args).toEqualTypeOf<{ id: number }>();
    },
  });
});

test('a tool with an output schema returns what fits it, one without returns content', () => {
  const output = z.object({ count: z.int() });
  defineTool({ name: 'a', description: '', output, run: () => ({ count: 1 }) });
  // @ts-expect-error a string is no count
  defineTool({ name: 'b', description: '', output, run: () => 'one' });
  // @ts-expect-error there is no schema that says what this is
  defineTool({ name: 'c', description: '', run: () => ({ count: 1 }) });
});

test("a resource's variables follow from its template", () => {
  defineResource({
    uri: 'db://{database}/table{/path*}{?limit}',
    name: 'table',
    read(variables) {
      expectTypeOf(variables).toEqualTypeOf<{
        readonly database: string;
        readonly path: readonly string[];
        readonly limit?: string;
      }>();
      return '';
    },
  });
  defineResource({
    uri: 'note:///{id}',
    name: 'note',
    read: () => '',
    // @ts-expect-error the template has no such variable
    complete: { name: () => [] },
  });
  expectTypeOf(new UriTemplate('x:{a}').variables).toEqualTypeOf<readonly string[]>();
});

test("a prompt's arguments are strings, whatever its schema makes of them", () => {
  definePrompt({
    name: 'a',
    description: '',
    input: z.object({ days: z.coerce.number(), mood: z.enum(['good', 'bad']).optional(), city: z.string() }),
    run(args) {
      expectTypeOf(args).toEqualTypeOf<{ days: number; mood?: 'good' | 'bad' | undefined; city: string }>();
      return '';
    },
  });
  // @ts-expect-error no string is a number
  definePrompt({ name: 'b', description: '', input: z.object({ days: z.number() }), run: () => '' });
});

test("a handler's needs are checked against the server's context", () => {
  const count = defineTool({
    name: 'count',
    description: '',
    run: (_, { notes, signal }: Notes & Pick<Call, 'signal'>) => `${notes.size} ${signal.aborted}`,
  });
  const note = defineResource({
    uri: 'note:///{id}',
    name: 'note',
    read: ({ id }, { notes }: Notes) => notes.get(id) ?? '',
  });
  const review = definePrompt({
    name: 'review',
    description: '',
    input: z.object({ id: z.string() }),
    run: ({ id }, { notes }: Notes) => notes.get(id) ?? '',
  });
  const about = { name: 'notes', version: '1.0.0' };
  const context: Notes = { notes: new Map() };
  expectTypeOf(
    defineServer({ ...about, context, tools: [count], resources: [note], prompts: [review] }),
  ).toEqualTypeOf<Server>();
  defineServer({ ...about, context: async () => context, tools: [count] });
  // @ts-expect-error the context has no notes
  defineServer({ ...about, context: async () => ({}), tools: [count] });
  // @ts-expect-error the context has no notes
  defineServer({ ...about, context: {}, tools: [count] });
  // @ts-expect-error the context has no notes
  defineServer({ ...about, context: {}, resources: [note] });
  // @ts-expect-error the context has no notes
  defineServer({ ...about, context: {}, prompts: [review] });
});

test('what any part of a definition needs is needed', () => {
  type A = { readonly a: string };
  type B = { readonly b: string };
  const about = { name: 'x', version: '1.0.0', context: { a: '' } };
  const prompt = definePrompt({
    name: 'p',
    description: '',
    input: z.object({ id: z.string() }),
    run: (_, { a, b }: A & B) => a + b,
    complete: { id: (_, { a }: A) => [a] },
  });
  // @ts-expect-error the context has no b
  defineServer({ ...about, prompts: [prompt] });
  const completing = definePrompt({
    name: 'q',
    description: '',
    input: z.object({ id: z.string() }),
    run: ({ id }) => id,
    complete: { id: (_, { b }: B) => [b] },
  });
  // @ts-expect-error the context has no b
  defineServer({ ...about, prompts: [completing] });
  defineServer({ ...about, context: { b: '' }, prompts: [completing] });
  const resource = defineResource({
    uri: 'x:///{id}',
    name: 'x',
    read: (_, { a, b }: A & B) => a + b,
    list: ({ a }: A) => [{ uri: 'x:///a', name: a }],
    complete: { id: (_, { a }: A) => [a] },
  });
  // @ts-expect-error the context has no b
  defineServer({ ...about, resources: [resource] });
});

test('a handler without arguments does not take the context for them', () => {
  type Notes = { readonly notes: string };
  // @ts-expect-error the first parameter is the arguments, of which there are none
  defineTool({ name: 'a', description: '', run: ({ notes }: Notes) => notes });
  // @ts-expect-error the first parameter is the arguments, of which there are none
  definePrompt({ name: 'a', description: '', run: ({ notes }: Notes) => notes });
  // @ts-expect-error the first parameter is the variables, of which there are none
  defineResource({ uri: 'note:///a', name: 'a', read: ({ notes }: Notes) => notes });
});

test('a handler that says nothing of its needs may use the call', () => {
  defineTool({
    name: 'a',
    description: '',
    run(_, call) {
      expectTypeOf(call).toEqualTypeOf<Call>();
    },
  });
});
