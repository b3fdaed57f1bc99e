import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import {
  definePrompt,
  defineResource,
  defineServer,
  defineTool,
  elicit,
  elicitUrl,
  inputRequired,
  jsonSchema,
  listRoots,
  LiveList,
  RpcError,
  sampleModel,
  textContent,
  toolResult,
} from '@mcp/protocol';
import { serve, StreamChannel } from '@mcp/protocol/stdio';
import { createTasks } from '@mcp/protocol/tasks';

// A server that does all that a server can do, for the tests of the gateway. With `legacy` as its argument it
// knows nothing of 2026-07-28, and asks by requests of its own; with `modern` it knows nothing else.

const legacy = process.argv.includes('legacy');
const modern = process.argv.includes('modern');
const name = process.env['NAME'] ?? 'probe';
const textForm = jsonSchema(
  { type: 'object', properties: { text: { type: 'string', title: 'Text' } }, required: ['text'] },
  (value) => value,
);
const args = jsonSchema<{ text?: string }>(
  { type: 'object', properties: { text: { type: 'string' } } },
  (value) => value as { text?: string },
);
const answerOf = (value: unknown) => JSON.stringify(value);
const changes = new Set<() => void>();
let count = 0;

const echo = defineTool({
  name: 'echo',
  title: 'Echo',
  description: 'Returns its text.',
  inputSchema: args,
  outputSchema: jsonSchema({ type: 'object', properties: { text: { type: 'string' } } }, (value) => value),
  annotations: { readOnlyHint: true },
  icons: [{ src: 'data:image/png;base64,AA==' }],
  _meta: { 'example.com/kept': true },
  run: ({ text = '' }) =>
    toolResult({
      content: [textContent(text)],
      structuredContent: { text },
      _meta: { 'example.com/of': name },
    }),
});

const fail = defineTool({
  name: 'fail',
  description: 'Fails.',
  run() {
    throw new Error('It failed');
  },
});

const counter = defineTool({
  name: 'count',
  description: 'Counts the calls of this process.',
  run: () => `${process.pid} ${++count}`,
});

const ask = defineTool({
  name: 'ask',
  description: 'Asks the user for a text.',
  inputSchema: args,
  run: ({ text = '' }, { inputs }) =>
    inputs['answer']
      ? answerOf(inputs['answer'])
      : inputRequired({ answer: elicit(`Which text? ${text}`, textForm) }),
});

const askUrl = defineTool({
  name: 'ask_url',
  description: 'Asks the user to open a page.',
  run: (_, { inputs }) =>
    inputs['answer']
      ? answerOf(inputs['answer'])
      : inputRequired({ answer: elicitUrl('Open it', 'https://example.com/') }),
});

const sample = defineTool({
  name: 'sample',
  description: 'Asks the model.',
  run: (_, { inputs }) =>
    inputs['answer']
      ? answerOf(inputs['answer'])
      : inputRequired({
          answer: sampleModel({ messages: [{ role: 'user', content: textContent('Hi') }], maxTokens: 5 }),
        }),
});

const roots = defineTool({
  name: 'roots',
  description: 'Returns the roots of the client.',
  run: (_, { inputs }) =>
    inputs['answer'] ? answerOf(inputs['answer']) : inputRequired({ answer: listRoots() }),
});

const slow = defineTool({
  name: 'slow',
  description: 'Reports progress, and waits until it is cancelled.',
  async run(_, { progress, signal }) {
    progress(1, 2, 'half');
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    cancelled++;
    return 'cancelled';
  },
});

let cancelled = 0;
const cancellations = defineTool({
  name: 'cancelled',
  description: 'Returns how many calls were cancelled.',
  run: () => String(cancelled),
});

const log = defineTool({
  name: 'log',
  description: 'Logs its text, and reports it as progress.',
  inputSchema: args,
  run({ text = '' }, call) {
    call.progress(1, 2, text);
    call.log('warning', text, name);
    return 'logged';
  },
});

const exit = defineTool({
  name: 'exit',
  description: 'Ends this process.',
  run(): string {
    process.exit(3);
  },
});

const touch = defineTool({
  name: 'touch',
  description: 'Changes the resources.',
  run() {
    for (const changed of changes) changed();
    return 'touched';
  },
});

const later = defineTool({
  name: 'later',
  description: 'Continues as a task, and fails with its text.',
  inputSchema: args,
  task: 'optional',
  run: async ({ text }, call) => {
    await call.asTask();
    if (text !== undefined) throw new RpcError(-32_000, text);
    return process.env['DONE'] ?? 'done';
  },
});

const added = defineTool({ name: 'added', description: 'Was added later.', run: () => 'added' });
const addTool = defineTool({
  name: 'add_tool',
  description: 'Adds a tool.',
  run() {
    tools.replace([...tools, added]);
    return 'added';
  },
});

const tools: LiveList<typeof echo> = new LiveList<never>([
  echo,
  fail,
  counter,
  ask,
  askUrl,
  sample,
  roots,
  slow,
  cancellations,
  log,
  exit,
  touch,
  later,
  addTool,
] as never[]);

const resources = [
  defineResource({
    uri: 'test://shared',
    name: 'shared',
    description: 'A resource that every probe has.',
    read: () => `shared of ${name}`,
    watch(_, changed) {
      changes.add(changed);
      return () => void changes.delete(changed);
    },
  }),
  defineResource({
    uri: `${name}://items/{id}`,
    name: 'items',
    complete: { id: (typed) => ['one', 'two'].filter((each) => each.startsWith(typed)) },
    read: ({ id }) => `item ${id} of ${name}`,
  }),
];

const prompts = [
  definePrompt({
    name: 'greet',
    description: 'A greeting.',
    inputSchema: jsonSchema<{ who?: string }>(
      { type: 'object', properties: { who: { type: 'string' } } },
      (value) => value as { who?: string },
    ),
    complete: { who: (typed) => ['Ann', 'Bob'].filter((each) => each.startsWith(typed)) },
    run: ({ who }) => `Greet ${who} from ${name}`,
  }),
];

const server = defineServer({
  name,
  version: '1.0.0',
  instructions: `Instructions of ${name}.`,
  logging: true,
  tasks: createTasks(),
  tools,
  resources,
  prompts,
});

/** The method that only clients of the other era send. */
const unknown = legacy ? 'server/discover' : modern ? 'initialize' : undefined;

/** A channel of a server that knows one era. */
class EraChannel extends StreamChannel {
  override open(receiver: Parameters<StreamChannel['open']>[0]): void {
    super.open({
      ...receiver,
      message: (text) => {
        const { id, method } = JSON.parse(text) as { id?: number; method?: string };
        const error = { jsonrpc: '2.0', id, error: { code: -32601, message: 'Unknown method' } };
        if (method !== undefined && method === unknown) this.send(JSON.stringify(error));
        else receiver.message(text);
      },
      malformed: (error) => receiver.malformed(error),
      ended: (reason) => receiver.ended(reason),
    });
  }
}

const { WAIT_FOR } = process.env;
if (WAIT_FOR !== undefined) {
  const watcher = watch(dirname(WAIT_FOR));
  while (!existsSync(WAIT_FOR)) await once(watcher, 'change');
  watcher.close();
}

await serve(server, new EraChannel(process.stdin, process.stdout));
process.exit();
