import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import {
  type Call,
  type CompletionCall,
  definePrompt,
  defineResource,
  defineServer,
  defineTool,
  jsonSchema,
  type ResourceCall,
  type Server,
  UriTemplate,
} from '@mcp/protocol';

// Checked by the compiler: a line marked with an expected error fails the type check when it compiles.

type Notes = { readonly notes: Map<string, string> };

test("the types of a tool's arguments follow from its schema, with defaults", () => {
  defineTool({
    name: 'a',
    description: '',
    inputSchema: z.object({ path: z.string(), head: z.int().optional(), all: z.boolean().default(false) }),
    run(args) {
      expectTypeOf(args).toEqualTypeOf<{ path: string; head?: number | undefined; all: boolean }>();
    },
  });
  defineTool({
    name: 'b',
    description: '',
    inputSchema: jsonSchema({ type: 'object' }, (value) => value as { id: number }),
    run(args) {
      expectTypeOf(args).toEqualTypeOf<{ id: number }>();
    },
  });
});

test('a tool with an output schema returns a value of it, and one without returns content', () => {
  const output = z.object({ count: z.int() });
  defineTool({ name: 'a', description: '', outputSchema: output, run: () => ({ count: 1 }) });
  // @ts-expect-error a string is no count
  defineTool({ name: 'b', description: '', outputSchema: output, run: () => 'one' });
  // @ts-expect-error the tool has no output schema
  defineTool({ name: 'c', description: '', run: () => ({ count: 1 }) });
});

test("the types of a resource's variables follow from its template", () => {
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

test("a prompt's arguments are strings for the client, even if its schema converts them", () => {
  definePrompt({
    name: 'a',
    description: '',
    inputSchema: z.object({
      days: z.coerce.number(),
      mood: z.enum(['good', 'bad']).optional(),
      city: z.string(),
    }),
    run(args) {
      expectTypeOf(args).toEqualTypeOf<{ days: number; mood?: 'good' | 'bad' | undefined; city: string }>();
      return '';
    },
  });
  definePrompt({ name: 'b', description: '', inputSchema: z.object({ days: z.number() }), run: () => '' });
  expect(() =>
    // @ts-expect-error JSON has no dates
    definePrompt({ name: 'c', description: '', inputSchema: z.object({ day: z.date() }), run: () => '' }),
  ).toThrow('cannot be described as JSON Schema');
});

test("the context that handlers need is checked against the server's context", () => {
  const count = defineTool({
    name: 'count',
    description: '',
    run: (_, { context: { notes }, signal }: Call<Notes>) => `${notes.size} ${signal.aborted}`,
  });
  const note = defineResource({
    uri: 'note:///{id}',
    name: 'note',
    read: ({ id }, { context: { notes } }: Call<Notes>) => notes.get(id) ?? '',
  });
  const review = definePrompt({
    name: 'review',
    description: '',
    inputSchema: z.object({ id: z.string() }),
    run: ({ id }, { context: { notes } }: Call<Notes>) => notes.get(id) ?? '',
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
  defineServer({ ...about, tools: [count] });
  // @ts-expect-error the context has no notes
  defineServer({ ...about, resources: [note] });
  // @ts-expect-error the context has no notes
  defineServer({ ...about, prompts: [review] });
});

test('the context must have the members that any handler of a definition needs', () => {
  type A = { readonly a: string };
  type B = { readonly b: string };
  const about = { name: 'x', version: '1.0.0', context: { a: '' } };
  const prompt = definePrompt({
    name: 'p',
    description: '',
    inputSchema: z.object({ id: z.string() }),
    run: (_, { context: { a, b } }: Call<A & B>) => a + b,
    complete: { id: (_, { context: { a } }: Call<A>) => [a] },
  });
  // @ts-expect-error the context has no b
  defineServer({ ...about, prompts: [prompt] });
  const completing = definePrompt({
    name: 'q',
    description: '',
    inputSchema: z.object({ id: z.string() }),
    run: ({ id }) => id,
    complete: { id: (_, { context: { b } }: Call<B>) => [b] },
  });
  // @ts-expect-error the context has no b
  defineServer({ ...about, prompts: [completing] });
  defineServer({ ...about, context: { b: '' }, prompts: [completing] });
  const resource = defineResource({
    uri: 'x:///{id}',
    name: 'x',
    read: (_, { context: { a, b } }: Call<A & B>) => a + b,
    list: ({ context: { a } }: Call<A>) => [{ uri: 'x:///a', name: a }],
    complete: { id: (_, { context: { a } }: Call<A>) => [a] },
  });
  // @ts-expect-error the context has no b
  defineServer({ ...about, resources: [resource] });
});

test('the first parameter of a handler is the arguments, even if there are none', () => {
  type Notes = { readonly notes: string };
  // @ts-expect-error the first parameter is the arguments, of which there are none
  defineTool({ name: 'a', description: '', run: ({ notes }: Notes) => notes });
  // @ts-expect-error the first parameter is the arguments, of which there are none
  definePrompt({ name: 'a', description: '', run: ({ notes }: Notes) => notes });
  // @ts-expect-error the first parameter is the variables, of which there are none
  defineResource({ uri: 'note:///a', name: 'a', read: ({ notes }: Notes) => notes });
});

test('the call is typed in every handler', () => {
  type A = { readonly a: string };
  defineTool({
    name: 'a',
    description: '',
    run(_, call) {
      expectTypeOf(call).toEqualTypeOf<Call<object>>();
    },
  });
  defineResource({
    uri: 'x:///{id}',
    name: 'x',
    read(_, { context, uri }: ResourceCall<A>) {
      return context.a + uri;
    },
    watch(_, changed, call) {
      expectTypeOf(changed).toEqualTypeOf<() => void>();
      expectTypeOf(call).toEqualTypeOf<ResourceCall<A>>();
      return () => {};
    },
    list(call) {
      expectTypeOf(call).toEqualTypeOf<Call<A>>();
      return [];
    },
    complete: {
      id(typed, call) {
        expectTypeOf(typed).toEqualTypeOf<string>();
        expectTypeOf(call).toEqualTypeOf<CompletionCall<A>>();
        return [];
      },
    },
  });
});

test('handlers in the definition of a server with a named context need no types of their own', () => {
  type City = { readonly city: string };
  defineServer<City>({
    name: 'a',
    version: '1.0.0',
    context: { city: 'Berlin' },
    tools: [
      defineTool({
        name: 'a',
        description: '',
        inputSchema: z.object({ text: z.string() }),
        run: ({ text }, { context }) => text + context.city,
      }),
    ],
    resources: [
      defineResource({
        uri: 'x:///{id}',
        name: 'x',
        read: ({ id }, { context, uri }) => id + context.city + uri,
        watch:
          ({ id }, changed, { context }) =>
          () => (changed(), void (id + context.city)),
        list: ({ context }) => [{ uri: 'x:///a', name: context.city }],
        complete: { id: (typed, { context }) => [typed + context.city] },
      }),
    ],
    prompts: [
      definePrompt({
        name: 'a',
        description: '',
        inputSchema: z.object({ text: z.string() }),
        run: ({ text }, { context }) => text + context.city,
        complete: { text: (typed, { context }) => [typed + context.city] },
      }),
    ],
  });
});

test('a tool accepts only schemas of objects whose members have a JSON form', () => {
  const rest = { name: 'a', description: '', run: () => '' };
  defineTool({ ...rest, inputSchema: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]) });
  defineTool({
    ...rest,
    inputSchema: z.object({ at: z.coerce.number(), tags: z.array(z.string()).optional() }),
  });
  defineTool({ ...rest, inputSchema: z.looseObject({}) });
  const refused = () => [
    // @ts-expect-error the arguments of a tool are an object
    defineTool({ ...rest, inputSchema: z.string() }),
    // @ts-expect-error the arguments of a tool are an object
    defineTool({ ...rest, inputSchema: z.array(z.string()) }),
    // @ts-expect-error JSON has no dates
    defineTool({ ...rest, inputSchema: z.object({ at: z.date() }) }),
    // @ts-expect-error JSON has no bigints
    defineTool({ ...rest, inputSchema: z.object({ n: z.bigint().optional() }) }),
  ];
  expect(refused).toThrow('must be a schema of objects');
});
