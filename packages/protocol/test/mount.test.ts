import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type Call,
  definePrompt,
  defineResource,
  defineServer,
  defineTool,
  elicit,
  LiveList,
  type Mount,
  mount,
  type MountOptions,
  type ResourceCall,
  type Tool,
  type Wrap,
} from '@mcp/protocol';
import { defineProxy } from '@mcp/protocol/proxy';
import { createTasks } from '@mcp/protocol/tasks';
import { connect } from '@mcp/protocol/testing';
import { limitTime, logCalls } from '@mcp/protocol/wrap';
import * as z from 'zod';
import { atEveryRevision } from './every-revision.ts';

type Notes = { readonly notes: Map<string, string>; readonly changed: Set<() => void> };

const add = defineTool({
  name: 'add',
  description: 'Adds a note.',
  inputSchema: z.object({ id: z.string(), text: z.string() }),
  run({ id, text }, { context: { notes, changed } }: Call<Notes>) {
    notes.set(id, text);
    for (const tell of changed) tell();
    return `Added ${id}`;
  },
});
const clear = defineTool({
  name: 'clear',
  description: 'Deletes all notes.',
  async run(_, { ask, context: { notes } }: Call<Notes>) {
    const sure = await ask('sure', elicit('All?', z.object({ yes: z.boolean() })));
    if (sure?.yes) notes.clear();
    return String(notes.size);
  },
});
const note = defineResource({
  uri: 'note:///{id}',
  name: 'note',
  read: ({ id }, { context: { notes } }: ResourceCall<Notes>) => notes.get(id) ?? '',
  list: ({ context: { notes } }: Call<Notes>) =>
    [...notes.keys()].map((id) => ({ uri: `note:///${id}`, name: id })),
  watch(_, changed, { context }: ResourceCall<Notes>) {
    context.changed.add(changed);
    return () => void context.changed.delete(changed);
  },
  complete: { id: (typed, { context: { notes } }) => [...notes.keys()].filter((id) => id.startsWith(typed)) },
});
const shorten = definePrompt({
  name: 'shorten',
  description: 'Asks for a shorter note.',
  inputSchema: z.object({ id: z.string() }),
  complete: {
    id: (typed, { context: { notes } }: Call<Notes>) =>
      [...notes.keys()].filter((id) => id.startsWith(typed)),
  },
  run: ({ id }, { context: { notes } }: Call<Notes>) => `Shorten: ${notes.get(id)}`,
});

const context = (): Notes => ({ notes: new Map([['a', 'Apples']]), changed: new Set() });
const notesServer = (wrap: readonly Wrap<Notes>[] = []) =>
  defineServer({
    name: 'notes',
    version: '1.0.0',
    context: context(),
    tools: [add, clear],
    resources: [note],
    prompts: [shorten],
    wrap,
  });
const ping = defineTool({ name: 'add', description: 'Another tool of that name.', run: () => 'pong' });
const outer = (...mounts: readonly Mount[]) =>
  defineServer({ name: 'all', version: '1.0.0', tools: [ping], mounts });

const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

atEveryRevision((revision) => {
  test('lists, calls, prompts, resources and completions of a mounted server', async () => {
    await using client = await connect(outer(mount(notesServer(), { prefix: 'notes' })), { revision });
    expect(names(await client.listTools())).toEqual(['add', 'notes_add', 'notes_clear']);
    expect((await client.callTool('add')).content).toMatchObject([{ text: 'pong' }]);
    const added = await client.callTool('notes_add', { id: 'b', text: 'Bread' });
    expect(added.content).toMatchObject([{ text: 'Added b' }]);
    expect(names(await client.listPrompts())).toEqual(['notes_shorten']);
    expect(JSON.stringify(await client.getPrompt('notes_shorten', { id: 'b' }))).toContain('Shorten: Bread');
    expect(names(await client.listResources())).toEqual(['a', 'b']);
    expect(names(await client.listResourceTemplates())).toEqual(['note']);
    expect(JSON.stringify(await client.readResource('note:///b'))).toContain('Bread');
    if (revision === '2024-11-05') return;
    const byPrompt = await client.complete({ prompt: 'notes_shorten' }, { name: 'id', value: 'b' });
    expect(byPrompt.values).toEqual(['b']);
    const byUri = await client.complete({ resource: 'note:///{id}' }, { name: 'id', value: 'a' });
    expect(byUri.values).toEqual(['a']);
  });

  test('a subscriber is notified of a change in a mounted server', async () => {
    await using client = await connect(outer(mount(notesServer(), { prefix: 'notes' })), { revision });
    const { promise, resolve } = Promise.withResolvers<void>();
    await client.subscribe('note:///a', resolve);
    await client.callTool('notes_add', { id: 'a', text: 'Almonds' });
    await promise;
  });

  if (revision < '2025-06-18') return;

  test('a mounted tool asks its question', async () => {
    await using client = await connect(outer(mount(notesServer(), { prefix: 'notes' })), {
      revision,
      elicit: async () => ({ action: 'accept', content: { yes: true } }),
    });
    expect((await client.callTool('notes_clear')).content).toMatchObject([{ text: '0' }]);
  });
});

test('items are chosen and renamed', async () => {
  const mounted = mount(notesServer(), {
    select: ({ kind, name }) => kind !== 'prompt' && name !== 'clear',
    rename: { add: 'write_note' },
  });
  await using client = await connect(outer(mounted));
  expect(names(await client.listTools())).toEqual(['add', 'write_note']);
  expect(names(await client.listResourceTemplates())).toEqual(['note']);
  await expect(client.getPrompt('shorten', { id: 'a' })).rejects.toThrow();
});

test.each<[string, MountOptions['select'] & {}]>([
  ['a list', ['add', 'greet', 'public', 'note:///{id}']],
  [
    'a function',
    ({ kind, name, uri }) =>
      kind === 'resource'
        ? !/^(secret|secrets)$/.test(name) && uri !== undefined
        : ['add', 'greet'].includes(name),
  ],
])('what %s does not choose cannot be used in any way', async (_, select) => {
  const secret = defineResource({
    uri: 'note:///secret',
    name: 'secret',
    read: () => 'Secret',
    watch: () => () => {},
  });
  const secrets = defineResource({
    uri: 'note:///secret-{id}',
    name: 'secrets',
    read: () => 'Secret',
    list: () => [{ uri: 'note:///secret-1', name: 'secret-1' }],
    watch: () => () => {},
    complete: { id: () => ['secret'] },
  });
  const everything = defineResource({
    ...note.definition,
    name: 'public',
    uri: 'note:///{id}',
    read: ({ id }: { id: string }) => `Read ${id}`,
    list: () => ['a', 'secret', 'secret-1'].map((id) => ({ uri: `note:///${id}`, name: id })),
  } as never);
  const inner = defineServer({
    name: 'inner',
    version: '1.0.0',
    context: context(),
    tools: [add, clear],
    resources: [secret, secrets, everything],
    prompts: [shorten, definePrompt({ name: 'greet', description: 'Greets.', run: () => 'Hello' })],
  });
  await using client = await connect(outer(mount(inner, { select, prefix: 'notes' })));
  expect(names(await client.listTools())).toEqual(['add', 'notes_add']);
  await expect(client.callTool('notes_clear')).rejects.toThrow('Unknown tool');
  expect(names(await client.listPrompts())).toEqual(['notes_greet']);
  for (const name of ['shorten', 'notes_shorten']) {
    await expect(client.getPrompt(name, { id: 'a' })).rejects.toThrow('Unknown prompt');
    await expect(client.complete({ prompt: name }, { name: 'id', value: '' })).rejects.toThrow(
      'Unknown prompt',
    );
  }
  expect(names(await client.listResources())).toEqual(['a']);
  expect(names(await client.listResourceTemplates())).toEqual(['public']);
  for (const uri of ['note:///secret', 'note:///secret-1']) {
    await expect(client.readResource(uri)).rejects.toThrow('No such resource');
    await expect(client.subscribe(uri, () => {})).rejects.toThrow('no notifications');
    await expect(client.complete({ resource: uri }, { name: 'id', value: '' })).rejects.toThrow(
      'Unknown resource',
    );
  }
  await expect(
    client.complete({ resource: 'note:///secret-{id}' }, { name: 'id', value: '' }),
  ).rejects.toThrow('Unknown resource');
  expect(JSON.stringify(await client.readResource('note:///b'))).toContain('Read b');
});

test('names of lists that are loaded later are checked when they are loaded', async () => {
  const late = (options: MountOptions) =>
    outer(mount(defineServer({ name: 'late', version: '1.0.0', tools: async () => [ping] }), options));
  for (const [options, message] of [
    [{ select: ['ad'] }, 'Cannot select "ad"'],
    [{ rename: { ad: 'write' } }, 'Cannot rename "ad"'],
    [{}, 'Duplicate tool: "add"'],
  ] as const) {
    await using client = await connect(late(options));
    await expect(client.listTools()).rejects.toThrow(message);
  }
  await using client = await connect(late({ select: ['add'], rename: { add: 'pong' } }));
  expect(names(await client.listTools())).toEqual(['add', 'pong']);
});

test('a prompt may have a name that no tool may have', async () => {
  const greet = definePrompt({ name: 'say "hello"', description: 'Greets.', run: () => 'Hello' });
  const inner = defineServer({ name: 'inner', version: '1.0.0', prompts: [greet] });
  await using client = await connect(outer(mount(inner)));
  expect(names(await client.listPrompts())).toEqual(['say "hello"']);
});

test('the functions around the handlers of both servers run, the outer ones first', async () => {
  const seen: string[] = [];
  const seeing =
    (who: string): Wrap<object> =>
    ({ method, name }, next) => {
      seen.push(`${who} ${method} ${name}`);
      return next();
    };
  const server = defineServer({
    name: 'all',
    version: '1.0.0',
    mounts: [mount(notesServer([seeing('inner')]), { prefix: 'notes' })],
    wrap: [seeing('outer')],
  });
  await using client = await connect(server);
  await client.callTool('notes_add', { id: 'b', text: 'Bread' });
  await client.readResource('note:///b');
  expect(seen).toEqual([
    'outer tools/call notes_add',
    'inner tools/call add',
    'outer resources/read note:///b',
    'inner resources/read note:///b',
  ]);
});

test('a time limit of a server that is mounted in a mounted server aborts the call', async () => {
  const { promise: aborted, resolve: abort } = Promise.withResolvers<unknown>();
  const slow = defineTool({
    name: 'slow',
    description: 'Waits.',
    run: (_, { signal }) =>
      new Promise<never>(() => signal.addEventListener('abort', () => abort(signal.reason))),
  });
  const inner = defineServer({ name: 'inner', version: '1.0.0', tools: [slow], wrap: [limitTime(50)] });
  const middle = defineServer({ name: 'middle', version: '1.0.0', mounts: [mount(inner)] });
  await using client = await connect(outer(mount(middle)));
  const message = '"slow" took longer than 0.05 s, the limit of this server';
  expect(await client.callTool('slow')).toMatchObject({ isError: true, content: [{ text: message }] });
  expect(await aborted).toMatchObject({ message });
});

test('the functions around a mounted handler get its questions as a value, not as an error', async () => {
  const outcomes: string[] = [];
  const catching: Wrap<object> = async (_, next) => {
    try {
      return await next();
    } catch {
      return 'Failed';
    }
  };
  const log = logCalls(({ outcome }) => outcomes.push(outcome));
  await using client = await connect(outer(mount(notesServer([catching, log]), { prefix: 'notes' })), {
    elicit: async () => ({ action: 'accept', content: { yes: true } }),
  });
  const result = await client.callTool('notes_clear');
  expect(result.isError).toBeUndefined();
  expect(outcomes).toEqual(['asked', 'done']);
});

test('lists and contexts that load later, and lists that change', async () => {
  const tools = new LiveList<Tool<Notes>>([add]);
  const live = defineServer({ name: 'live', version: '1.0.0', context: context(), tools });
  const late = defineServer({
    name: 'late',
    version: '1.0.0',
    context: async () => context(),
    tools: async () => [add],
    resources: async () => [note],
  });
  await using client = await connect(outer(mount(live, { prefix: 'live' }), mount(late, { prefix: 'late' })));
  expect(names(await client.listTools())).toEqual(['add', 'live_add', 'late_add']);
  expect((await client.callTool('late_add', { id: 'c', text: 'Corn' })).content).toMatchObject([
    { text: 'Added c' },
  ]);
  expect(JSON.stringify(await client.readResource('note:///c'))).toContain('Corn');
  const { promise, resolve } = Promise.withResolvers<void>();
  await client.watchList('tools', resolve);
  tools.add(clear);
  await promise;
  expect(names(await client.listTools())).toEqual(['add', 'live_add', 'live_clear', 'late_add']);
});

test('a tool that is added later and gets no name in a mount is left out with a warning', async () => {
  const warnings: string[] = [];
  const warned = ({ message }: Error) => warnings.push(message);
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  const tools = new LiveList<Tool<object>>();
  const live = defineServer({ name: 'live', version: '1.0.0', tools });
  const server = outer(mount(live, { prefix: 'live' }));
  const named = (name: string) => defineTool({ name, description: 'Pings.', run: () => 'pong' });
  tools.replace([named('a'.repeat(128)), named('ping')]);
  await using client = await connect(server);
  expect(names(await client.listTools())).toEqual(['add', 'live_ping']);
  await expect
    .poll(() => warnings)
    .toEqual([
      expect.stringContaining('An item of a mounted server is left out: Invalid name of a tool: "live_aaa'),
    ]);
});

test('a mounted tool continues as a task of the outer server', async () => {
  const slow = defineTool({
    name: 'slow',
    description: 'Continues later.',
    task: 'optional',
    async run(_, call: Call<Notes>) {
      await call.asTask();
      return `${call.context.notes.size} notes`;
    },
  });
  const inner = defineServer({
    name: 'inner',
    version: '1.0.0',
    context: context(),
    tasks: createTasks(),
    tools: [slow],
  });
  const server = defineServer({
    name: 'all',
    version: '1.0.0',
    tasks: createTasks(),
    mounts: [mount(inner, { prefix: 'inner' })],
  });
  await using client = await connect(server);
  expect((await client.callTool('inner_slow')).content).toMatchObject([{ text: '1 notes' }]);
});

test('a change of a live list takes effect in every server that has it, also where a name is taken', async () => {
  const tools = new LiveList<Tool<object>>([
    defineTool({ name: 'old', description: 'Old.', run: () => 'old' }),
  ]);
  const [old] = tools;
  const live = defineServer({ name: 'live', version: '1.0.0', tools });
  await using colliding = await connect(outer(mount(live)));
  await using other = await connect(outer(mount(live, { prefix: 'live' })));
  tools.add(defineTool({ name: 'add', description: 'Has a name that is taken.', run: () => 'new' }));
  tools.remove(old!);
  expect(names(await colliding.listTools())).toEqual(['add']);
  expect((await colliding.callTool('add')).content).toMatchObject([{ text: 'pong' }]);
  await expect(colliding.callTool('old')).rejects.toThrow('Unknown tool');
  expect(names(await other.listTools())).toEqual(['add', 'live_add']);
});

describe('mistakes', () => {
  test.each([{ prefix: 'my server' }, { prefix: 'x'.repeat(128) }, { rename: { add: '' } }])(
    'a name that no tool may have: %j',
    (options) => {
      expect(() => mount(notesServer(), options)).toThrow('Invalid name of a tool');
    },
  );

  test('a server that is not mounted', () => {
    expect(() => outer(notesServer() as never)).toThrow('must be made by `mount(…)`');
  });

  test('two items of one name', () => {
    expect(() => outer(mount(notesServer()))).toThrow('Duplicate tool: "add"');
  });

  test.each<[MountOptions, string]>([
    [
      { rename: { ad: 'write' } },
      'Cannot rename "ad": no tool or prompt with this name is mounted; did you mean "add"?',
    ],
    [{ rename: { 'note:///{id}': 'it' } }, 'Cannot rename "note:///{id}": no tool or prompt'],
    [{ rename: JSON.parse('{"__proto__":"it"}') as {} }, 'Cannot rename "__proto__": no tool or prompt'],
    [{ select: ['add'], rename: { clear: 'write' } }, 'Cannot rename "clear": no tool or prompt'],
    [
      { select: ['add', 'claer'] },
      'Cannot select "claer": the mounted server has no such name; did you mean "clear"?',
    ],
    [{ select: ['note:///{ID}'] }, 'did you mean "note:///{id}"'],
    [{ rename: { shorten: '' } }, 'The prompt needs a `name`, a string'],
    [{ select: (async () => false) as never }, '`select` of a mount must return true or false, not object'],
  ])('a name that the mounted server does not have: %j', (options, message) => {
    expect(() => mount(notesServer(), options)).toThrow(message);
  });

  test('two names that become one', () => {
    expect(() => outer(mount(notesServer(), { rename: { add: 'clear' } }))).toThrow(
      'Duplicate tool: "clear"',
    );
    const both = { add: 'it', clear: 'it' };
    expect(() => outer(mount(notesServer(), { rename: both }))).toThrow('Duplicate tool: "it"');
  });

  test('a proxy', () => {
    const proxy = defineProxy({ name: 'proxy', version: '1.0.0', session: () => ({}) as never });
    expect(() => mount(proxy)).toThrow('A proxy cannot be mounted');
  });
});
