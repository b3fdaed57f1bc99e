import { setTimeout as wait } from 'node:timers/promises';
import {
  accepted,
  audio,
  type Call,
  definePrompt,
  defineResource,
  defineServer,
  defineTool,
  elicit,
  embedded,
  image,
  inputRequired,
  jsonSchema,
  listRoots,
  LiveList,
  ResourceNotFound,
  RpcError,
  sample,
  text,
  textContents,
  user,
} from '@mcp/protocol';
import { keepTasks } from '@mcp/protocol/tasks';
import * as z from 'zod';

// The server that the official conformance suite asks for, on the same API as any other server.

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==';

const content = [
  defineTool({
    name: 'test_simple_text',
    description: 'Answers with text.',
    run: () => 'This is a simple text response for testing.',
  }),
  defineTool({
    name: 'test_image_content',
    description: 'Answers with an image.',
    run: () => image(png, 'image/png'),
  }),
  defineTool({
    name: 'test_audio_content',
    description: 'Answers with sound.',
    run: () => audio(wav, 'audio/wav'),
  }),
  defineTool({
    name: 'test_embedded_resource',
    description: 'Answers with a resource.',
    run: () =>
      embedded(
        textContents('test://embedded-resource', 'This is an embedded resource content.', 'text/plain'),
      ),
  }),
  defineTool({
    name: 'test_multiple_content_types',
    description: 'Answers with text, an image and a resource.',
    run: () => [
      text('Multiple content types test:'),
      image(png, 'image/png'),
      embedded(
        textContents('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
      ),
    ],
  }),
  defineTool({
    name: 'test_error_handling',
    description: 'Fails.',
    run() {
      throw new Error('This tool intentionally returns an error for testing');
    },
  }),
];

const telling = [
  defineTool({
    name: 'test_tool_with_logging',
    description: 'Sends three log messages.',
    async run(_, { log }) {
      log('info', 'Tool execution started');
      await wait(50);
      log('info', 'Tool processing data');
      await wait(50);
      log('info', 'Tool execution completed');
      return 'Logged three messages';
    },
  }),
  defineTool({
    name: 'test_logging_tool',
    description: 'Sends a log message.',
    run(_, { log }) {
      log('info', 'Logged');
      return 'Logged one message';
    },
  }),
  defineTool({
    name: 'test_tool_with_progress',
    description: 'Reports progress.',
    async run(_, { progress }) {
      for (const done of [0, 50, 100]) {
        progress(done, 100, `Completed step ${done} of 100`);
        await wait(50);
      }
      return 'Reported progress';
    },
  }),
  defineTool({
    name: 'test_reconnection',
    description: 'Takes longer than its stream stays open.',
    async run(_, { signal }) {
      await wait(1_500, undefined, { signal });
      return 'Reconnection test completed successfully.';
    },
  }),
];

const asking = [
  defineTool({
    name: 'test_sampling',
    description: 'Has the model answer a prompt.',
    input: z.object({ prompt: z.string() }),
    run({ prompt }, { inputs }) {
      const { answer } = inputs;
      if (!answer || !('model' in answer)) {
        return inputRequired({
          answer: sample({ messages: [{ role: 'user', content: text(prompt) }], maxTokens: 100 }),
        });
      }
      const [block] = Array.isArray(answer.content) ? answer.content : [answer.content];
      return `LLM response: ${block?.type === 'text' ? block.text : ''}`;
    },
  }),
  defineTool({
    name: 'test_elicitation',
    description: 'Asks the user.',
    input: z.object({ message: z.string() }),
    run({ message }, { inputs }) {
      const form = z.object({ username: z.string(), email: z.string() });
      if (!inputs['answer']) return inputRequired({ answer: elicit(message, form) });
      return `User response: ${JSON.stringify(inputs['answer'])}`;
    },
  }),
  defineTool({
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks the user with defaults of every kind.',
    run(_, { inputs }) {
      const form = z.object({
        name: z.string().default('John Doe'),
        age: z.int().default(30),
        score: z.number().default(95.5),
        status: z.enum(['active', 'inactive', 'pending']).default('active'),
        verified: z.boolean().default(true),
      });
      if (!inputs['answer']) return inputRequired({ answer: elicit('Please review the defaults', form) });
      return `Elicitation completed: ${JSON.stringify(inputs['answer'])}`;
    },
  }),
  defineTool({
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks the user for choices of every kind.',
    run(_, { inputs }) {
      if (!inputs['answer']) return inputRequired({ answer: elicit('Please choose', choices) });
      return `Elicitation completed: ${JSON.stringify(inputs['answer'])}`;
    },
  }),
  defineTool({
    name: 'test_missing_capability',
    description: 'Needs the model.',
    run: (_, { inputs }) =>
      inputs['answer']
        ? 'Sampled'
        : inputRequired({
            answer: sample({ messages: [{ role: 'user', content: text('Hello') }], maxTokens: 10 }),
          }),
  }),
  defineTool({
    name: 'test_streaming_elicitation',
    description: 'Answers at once.',
    run: () => 'Nothing to ask',
  }),
];

const titled = [
  { const: 'value1', title: 'First Option' },
  { const: 'value2', title: 'Second Option' },
  { const: 'value3', title: 'Third Option' },
];

const choices = jsonSchema(
  {
    type: 'object',
    properties: {
      untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
      titledSingle: { type: 'string', oneOf: titled },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
      titledMulti: { type: 'array', items: { anyOf: titled } },
    },
  },
  (value) => value,
);

const nameForm = z.object({ name: z.string() });
const askName = elicit('What is your name?', nameForm);
const askCapital = sample({
  messages: [{ role: 'user', content: text('What is the capital of France?') }],
  maxTokens: 100,
});

const roundTrips = [
  defineTool({
    name: 'test_input_required_result_elicitation',
    description: 'Asks for a name.',
    async run(_, { inputs }) {
      const answer = await accepted(inputs['user_name'], nameForm);
      return answer ? `Hello, ${answer.name}!` : inputRequired({ user_name: askName });
    },
  }),
  defineTool({
    name: 'test_input_required_result_sampling',
    description: 'Asks the model.',
    run: (_, { inputs }) =>
      inputs['capital_question']
        ? `The model said: ${JSON.stringify(inputs['capital_question'])}`
        : inputRequired({ capital_question: askCapital }),
  }),
  defineTool({
    name: 'test_input_required_result_list_roots',
    description: 'Asks for the roots.',
    run: (_, { inputs }) =>
      inputs['client_roots']
        ? `The roots are: ${JSON.stringify(inputs['client_roots'])}`
        : inputRequired({ client_roots: listRoots() }),
  }),
  defineTool({
    name: 'test_input_required_result_request_state',
    description: 'Keeps something between two rounds.',
    run(_, { inputs, state }) {
      const form = z.object({ ok: z.boolean() });
      if (!inputs['confirm']) return inputRequired({ confirm: elicit('Go on?', form) }, { round: 1 });
      return (state as { round?: number } | undefined)?.round === 1 ? 'state-ok' : 'state-missing';
    },
  }),
  defineTool({
    name: 'test_input_required_result_multiple_inputs',
    description: 'Asks three things at once.',
    run: (_, { inputs }) =>
      inputs['user_name'] && inputs['greeting'] && inputs['client_roots']
        ? 'All inputs received'
        : inputRequired(
            { user_name: askName, greeting: askCapital, client_roots: listRoots() },
            { asked: 3 },
          ),
  }),
  defineTool({
    name: 'test_input_required_result_multi_round',
    description: 'Asks one thing after the other.',
    run(_, { inputs, state }) {
      const { step = 0 } = (state ?? {}) as { step?: number };
      const color = elicit('Your favourite color?', z.object({ color: z.string() }));
      if (step === 0) return inputRequired({ step1: askName }, { step: 1 });
      if (step === 1)
        return inputRequired(inputs['step1'] ? { step2: color } : { step1: askName }, {
          step: inputs['step1'] ? 2 : 1,
        });
      return inputs['step2'] ? 'Both steps done' : inputRequired({ step2: color }, { step: 2 });
    },
  }),
  defineTool({
    name: 'test_input_required_result_tampered_state',
    description: 'Refuses a state that was changed.',
    run: (_, { inputs, state }) =>
      inputs['confirm'] && state !== undefined
        ? 'The state is as it was'
        : inputRequired({ confirm: elicit('Go on?', z.object({ ok: z.boolean() })) }, { secret: 42 }),
  }),
  defineTool({
    name: 'test_input_required_result_capabilities',
    description: 'Asks only what the client can answer.',
    run(_, { inputs, clientCapabilities }) {
      if (Object.keys(inputs).length > 0) return 'Answered';
      return inputRequired({
        ...(clientCapabilities['elicitation'] !== undefined && { user_name: askName }),
        ...(clientCapabilities['sampling'] !== undefined && { capital_question: askCapital }),
        ...(clientCapabilities['roots'] !== undefined && { client_roots: listRoots() }),
      });
    },
  }),
];

const confirmForm = z.object({ confirm: z.boolean() });

const lasting = [
  defineTool({
    name: 'greet',
    description: 'Greets, at once.',
    input: z.object({ name: z.string() }),
    run: ({ name }) => `Hello, ${name}!`,
  }),
  defineTool({
    name: 'slow_compute',
    description: 'Computes for some seconds.',
    input: z.object({ seconds: z.number().min(0), label: z.string().optional() }),
    task: 'optional',
    async run({ seconds, label = 'the answer' }, { signal, asTask }) {
      if (seconds > 0) await asTask(`Computing ${label}`);
      await wait(seconds * 1_000, undefined, { signal });
      return `Computed ${label} in ${seconds} seconds`;
    },
  }),
  defineTool({
    name: 'failing_job',
    description: 'Fails after a second.',
    task: 'required',
    async run(_, { signal, asTask }) {
      await asTask();
      await wait(1_000, undefined, { signal });
      throw new Error('The job failed');
    },
  }),
  defineTool({
    name: 'protocol_error_job',
    description: 'Ends in an error of the protocol.',
    task: 'required',
    async run(_, { asTask }) {
      await asTask();
      throw new RpcError(-32603, 'The job broke down');
    },
  }),
  defineTool({
    name: 'confirm_delete',
    description: 'Has the user confirm, as part of the task.',
    input: z.object({ filename: z.string() }),
    task: 'required',
    async run({ filename }, { inputs, asTask }) {
      await asTask();
      if (!inputs['confirm']) return inputRequired({ confirm: elicit(`Delete ${filename}?`, confirmForm) });
      const answer = await accepted(inputs['confirm'], confirmForm);
      return answer?.confirm ? `Deleted ${filename}` : `Kept ${filename}`;
    },
  }),
  defineTool({
    name: 'multi_input',
    description: 'Asks two things at once, as part of the task.',
    task: 'required',
    async run(_, { inputs, asTask }) {
      await asTask();
      if (!inputs['name'] || !inputs['confirm']) {
        return inputRequired({ name: askName, confirm: elicit('Go on?', confirmForm) });
      }
      return 'Both answered';
    },
  }),
  defineTool({
    name: 'test_tool_with_task',
    description: 'Asks first, and goes on as a task.',
    task: 'required',
    async run(_, { inputs, asTask }) {
      const answer = await accepted(inputs['user_name'], nameForm);
      if (!answer) return inputRequired({ user_name: askName });
      await asTask();
      return `Hello, ${answer.name}!`;
    },
  }),
];

const schemas = [
  defineTool({
    name: 'json_schema_2020_12_tool',
    description: 'Has a schema with everything in it.',
    input: jsonSchema(
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
            $anchor: 'addressDef',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        properties: {
          name: { type: 'string' },
          address: { $ref: '#/$defs/address' },
          contactMethod: { type: 'string', enum: ['phone', 'email'] },
          phone: { type: 'string' },
          email: { type: 'string' },
        },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        then: { required: ['phone'] },
        else: { required: ['email'] },
        additionalProperties: false,
      },
      (value) => value as { name?: string },
    ),
    run: ({ name }) => `Hello ${name ?? ''}`,
  }),
  defineTool({
    name: 'test_x_mcp_header',
    description: 'Has an argument that clients repeat in a header.',
    input: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }), query: z.string().optional() }),
    run: ({ region }) => `Region: ${region}`,
  }),
];

const resources = [
  defineResource({
    uri: 'test://static-text',
    name: 'Static text',
    description: 'Text that stays the same.',
    mimeType: 'text/plain',
    read: () => 'This is the content of the static text resource.',
  }),
  defineResource({
    uri: 'test://static-binary',
    name: 'Static binary',
    description: 'An image that stays the same.',
    mimeType: 'image/png',
    read: () => Buffer.from(png, 'base64'),
  }),
  defineResource({
    uri: 'test://watched-resource',
    name: 'Watched resource',
    description: 'Something to subscribe to.',
    mimeType: 'text/plain',
    read: () => 'Watched resource content',
    watch: (_, changed) => {
      const timer = setInterval(changed, 3_000);
      return () => clearInterval(timer);
    },
  }),
  defineResource({
    uri: 'test://template/{id}/data',
    name: 'Template',
    description: 'Data by its id.',
    mimeType: 'application/json',
    read: ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  }),
  defineResource({
    uri: 'test://missing/{+rest}',
    name: 'Missing',
    description: 'Never there.',
    read: (_, __, uri) => {
      throw new ResourceNotFound(uri);
    },
  }),
];

const prompts = [
  definePrompt({
    name: 'test_simple_prompt',
    description: 'A prompt without arguments.',
    run: () => 'This is a simple prompt for testing.',
  }),
  definePrompt({
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments.',
    input: z.object({ arg1: z.string().describe('First'), arg2: z.string().describe('Second') }),
    complete: { arg1: (typed) => ['paris', 'park', 'party'].filter((value) => value.startsWith(typed)) },
    run: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  }),
  definePrompt({
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt with a resource in it.',
    input: z.object({ resourceUri: z.string() }),
    run: ({ resourceUri }) => [
      user(embedded(textContents(resourceUri, 'Embedded resource content for testing.', 'text/plain'))),
      user('Please process the embedded resource above.'),
    ],
  }),
  definePrompt({
    name: 'test_prompt_with_image',
    description: 'A prompt with an image in it.',
    run: () => [user(image(png, 'image/png')), user('Please analyze the image above.')],
  }),
  definePrompt({
    name: 'test_input_required_result_prompt',
    description: 'A prompt that asks for its context.',
    async run(_, { inputs }: Call) {
      const form = z.object({ context: z.string() });
      const answer = await accepted(inputs['user_context'], form);
      if (!answer) return inputRequired({ user_context: elicit('What is the context?', form) });
      return `Use this context: ${answer.context}`;
    },
  }),
];

/** How a change of a list is told to whoever serves it: to this process alone, or to its replicas too. */
export interface Changes {
  tell(list: 'tools' | 'prompts'): void | Promise<void>;
  hear(changed: (list: 'tools' | 'prompts') => void): void | Promise<void>;
}

function withinThisProcess(): Changes {
  const listeners: ((list: 'tools' | 'prompts') => void)[] = [];
  return {
    tell: (list) => listeners.forEach((changed) => changed(list)),
    hear: (changed) => void listeners.push(changed),
  };
}

/** The conformance suite's server. Replicas share a `stateKey` and their changes. */
export async function fixture({
  changes = withinThisProcess(),
  stateKey,
}: { changes?: Changes; stateKey?: Uint8Array } = {}) {
  const triggers = (['tools', 'prompts'] as const).map((list) =>
    defineTool({
      name: list === 'tools' ? 'test_trigger_tool_change' : 'test_trigger_prompt_change',
      description: `Changes the list of ${list}.`,
      async run() {
        await changes.tell(list);
        return 'Changed';
      },
    }),
  );
  const tools = new LiveList([
    ...content,
    ...telling,
    ...asking,
    ...roundTrips,
    ...lasting,
    ...schemas,
    ...triggers,
  ]);
  const livePrompts = new LiveList(prompts);
  await changes.hear((list) =>
    list === 'tools' ? tools.replace([...tools]) : livePrompts.replace([...livePrompts]),
  );
  return defineServer({
    name: 'conformance',
    version: '1.0.0',
    context: {},
    logging: true,
    tasks: keepTasks(),
    tools,
    resources,
    prompts: livePrompts,
    ...(stateKey && { stateKey }),
  });
}
