import { Client as Official } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { type Answer, type Opening, stateless, type TodoClient } from './todo-client.ts';

const timeoutMs = 30_000;
const info = { name: 'side-by-side', version: '1.0.0' };
const contentOf = (answer: Exclude<Answer, 'cannot'>) =>
  answer === 'accept' ? { action: answer, content: { confirm: true } } : { action: answer };
const environment = (lists: string) => ({ PATH: process.env['PATH'] ?? '', TODO_DIRECTORY: lists });
const textOf = (part: object | undefined) => (part && 'text' in part ? String(part.text) : '');

/** The name of the official client in `clients`. */
export const official = 'the official client';

export const clients: Readonly<Record<string, (opening: Opening) => Promise<TodoClient>>> = {
  'our client': connectOurs,
  [official]: connectOfficial,
};

async function connectOurs({ program, lists, revision, answer, asked }: Opening): Promise<TodoClient> {
  const command = serverCommand({
    command: process.execPath,
    args: [program],
    env: environment(lists),
    stderr: 'ignore',
  });
  const client = await Client.connect(command, {
    ...info,
    revision,
    timeoutMs,
    ...(answer !== 'cannot' && {
      async elicit({ message }) {
        asked(message);
        return contentOf(answer);
      },
    }),
  });
  return {
    revision: client.revision,
    callTool: (name, args, options) => client.callTool(name, { ...args } as never, { ...options }),
    templates: async () => (await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate),
    read: async (uri) => textOf((await client.readResource(uri)).contents[0]),
    complete: async (resource, name, value) => (await client.complete({ resource }, { name, value })).values,
    subscribe: (uri, updated) => client.subscribe(uri, () => updated(uri)),
    prompt: async (name, args) => textOf((await client.getPrompt(name, args)).messages[0]?.content),
    close: () => client.close(),
  };
}

async function connectOfficial({ program, lists, revision, answer, asked }: Opening): Promise<TodoClient> {
  const isStateless = revision === stateless;
  const client = new Official(info, {
    capabilities: answer === 'cannot' ? {} : { elicitation: { form: {} } },
    ...(isStateless && { versionNegotiation: { mode: { pin: revision } } }),
  });
  if (answer !== 'cannot')
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked(params.message);
      return contentOf(answer);
    });
  const options = { timeout: timeoutMs };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program],
      env: environment(lists),
      stderr: 'ignore',
    }),
    options,
  );
  return {
    revision: client.getNegotiatedProtocolVersion() ?? '',
    callTool: (name, args, { signal, onProgress } = {}) =>
      client.callTool(
        { name, arguments: args },
        {
          ...options,
          ...(signal && { signal }),
          ...(onProgress && { onprogress: ({ progress }) => onProgress(progress) }),
        },
      ),
    templates: async () =>
      (await client.listResourceTemplates({}, options)).resourceTemplates.map(
        ({ uriTemplate }) => uriTemplate,
      ),
    read: async (uri) => textOf((await client.readResource({ uri }, options)).contents[0]),
    complete: async (uri, name, value) =>
      (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } }, options))
        .completion.values,
    subscribe(uri, updated) {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => updated(params.uri));
      return isStateless
        ? client.listen({ resourceSubscriptions: [uri] }, options)
        : client.subscribeResource({ uri }, options);
    },
    prompt: async (name, args) =>
      textOf((await client.getPrompt({ name, arguments: args }, options)).messages[0]?.content),
    close: () => client.close(),
  };
}
