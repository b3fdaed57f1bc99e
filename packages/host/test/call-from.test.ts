import { afterAll, describe, expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const workspace = new Workspace({ broken: { command: '/nowhere/server' } });
afterAll(() => workspace[Symbol.dispose]());

/** A model's message with these calls, as each vendor has it. */
const messages: Readonly<Record<string, (calls: readonly (readonly [string, object])[]) => unknown>> = {
  openai: (calls) => ({
    role: 'assistant',
    content: null,
    tool_calls: calls.map(([name, args], index) => ({
      id: `c${index}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    })),
  }),
  'openai-responses': (calls) => ({
    output: calls.map(([name, args], index) => ({
      type: 'function_call',
      call_id: `c${index}`,
      name,
      arguments: JSON.stringify(args),
    })),
  }),
  anthropic: (calls) => ({
    role: 'assistant',
    content: calls.map(([name, input], index) => ({ type: 'tool_use', id: `c${index}`, name, input })),
  }),
  gemini: (calls) => ({
    role: 'model',
    parts: calls.map(([name, args]) => ({ functionCall: { name, args } })),
  }),
};

const calls = [
  ['fix__echo', { text: 'one' }],
  ['fix__fail', {}],
  ['fix__nothing', {}],
  ['fix__picture', {}],
] as const;

describe.each(Object.keys(messages))('mcp call --from %s', (vendor) => {
  test('calls every tool of a message in order and prints the message that answers it', async () => {
    const { stdout, stderr, code } = await workspace.mcp(['call', '--from', vendor], {
      input: JSON.stringify(messages[vendor]!(calls)),
    });
    // A call has failed; the server that no call names was not started.
    expect({ stderr, code }).toEqual({ stderr: '', code: 5 });
    expect(JSON.parse(stdout)).toMatchSnapshot();
  });
});

test('a message in a file is read, and one without calls is answered by nothing', async () => {
  const file = workspace.directory.put('message.json', '{"role":"assistant","content":"Hello"}');
  const { stdout, code } = await workspace.mcp(['call', '--from', 'openai', `@${file}`]);
  expect({ stdout, code }).toEqual({ stdout: '[]\n', code: 0 });
});

test('the null that strict mode has for a missing argument does not reach the tool', async () => {
  const message = messages['openai']!([['fix__echo', { text: 'one', suffix: null }]]);
  const { stdout } = await workspace.mcp(['call', '--from', 'openai'], { input: JSON.stringify(message) });
  expect(JSON.parse(stdout)).toEqual([{ role: 'tool', tool_call_id: 'c0', content: 'one' }]);
});

test.each([
  ['not JSON', 'The message is not in the format of openai: '],
  ['{"x":1}', 'Expected an assistant message with "tool_calls"'],
])('the message %j is refused with exit code 1', async (input, problem) => {
  const { stdout, stderr, code } = await workspace.mcp(['call', '--from', 'openai'], { input });
  expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
  expect(stderr).toContain(problem);
});

test('a server that cannot be started is an error in the answer to its call', async () => {
  const input = JSON.stringify(messages['anthropic']!([['broken__tool', {}]]));
  const { stdout, code } = await workspace.mcp(['call', '--from', 'anthropic'], { input });
  expect(code).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject([
    {
      content: [
        { is_error: true, content: [{ text: expect.stringContaining('broken: cannot be started') }] },
      ],
    },
  ]);
});
