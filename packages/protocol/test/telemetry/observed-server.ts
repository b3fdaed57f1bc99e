import {
  definePrompt,
  defineResource,
  defineServer,
  defineTool,
  elicit,
  inputRequired,
  jsonSchema,
  type Observer,
  type Server,
  ToolError,
} from '@mcp/protocol';

const text = jsonSchema<{ text: string }>(
  { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  (value) => value as { text: string },
);
const form = jsonSchema<object>({ type: 'object', properties: {} }, (value) => value as object);

/** A value that no telemetry may have. */
export const secret = 'sk-secret-1234';

/** A server with what telemetry distinguishes: results, failures, questions, and a call that waits. */
export function observedServer(observe: Observer): Server {
  return defineServer({
    name: 'observed',
    version: '1.0.0',
    observe,
    tools: [
      defineTool({ name: 'echo', description: 'Echoes.', inputSchema: text, run: (args) => args.text }),
      defineTool({
        name: 'later',
        description: 'Echoes later.',
        inputSchema: text,
        run: async (args) => {
          await new Promise((resolve) => setImmediate(resolve));
          return args.text;
        },
      }),
      defineTool({
        name: 'fail',
        description: 'Fails.',
        run: () => {
          throw new ToolError(`Wrong: ${secret}`);
        },
      }),
      defineTool({
        name: 'wait',
        description: 'Waits for its cancellation.',
        run: (_, { signal, progress }) => {
          progress(1);
          return new Promise<string>((resolve) =>
            signal.addEventListener('abort', () => resolve('Cancelled'), { once: true }),
          );
        },
      }),
      defineTool({
        name: 'ask',
        description: 'Asks.',
        run: (_, { inputs }) => (inputs['it'] ? 'Asked' : inputRequired({ it: elicit('Well?', form) })),
      }),
    ],
    resources: [
      defineResource({
        uri: 'note:///{id}',
        name: 'note',
        read: ({ id }) => {
          if (id === 'broken') throw new Error(`Cannot read ${secret}`);
          return `Note ${String(id)}`;
        },
      }),
    ],
    prompts: [definePrompt({ name: 'greet', description: 'Greets.', run: () => 'Hello' })],
  });
}
