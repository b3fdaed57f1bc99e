import { expect, test } from 'vitest';
import { type Caller, defineTool } from '@mcp/protocol';
import type { Authorization } from '../../src/http.ts';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { EventReader } from '../http/events.ts';
import { HttpWire, messageOf } from '../http/http-wire.ts';
import { supportsTasks, taskServer } from '../requirements/task-server.ts';
import { stateless } from '../requirements/wire.ts';

/** Two tokens of one principal. */
const tokens: { readonly [token: string]: Caller } = {
  strong: { principal: 'ada', scopes: ['notes:read', 'notes:write'] },
  weak: { principal: 'ada', scopes: ['notes:read'] },
};

const authorization: Authorization = {
  verify: (token: string) => (Object.hasOwn(tokens, token) ? tokens[token] : undefined),
  metadata: { resource: 'https://mcp.example/mcp', authorizationServers: ['https://login.example'] },
};

const as = (token: string, taskId?: string) => ({
  authorization: `Bearer ${token}`,
  ...(taskId !== undefined && { 'mcp-name': taskId }),
});

/** A tool that requires a scope and continues as a task; the task ends at a call of `end`. */
function guarded() {
  const { promise: outcome, resolve: end } = Promise.withResolvers<string>();
  const tool = defineTool({
    name: 'job',
    description: 'Takes long.',
    task: 'required',
    requires: ['notes:write'],
    async run(_, { asTask }) {
      await asTask();
      return outcome;
    },
  });
  return { tool, end };
}

async function begin(wire: HttpWire): Promise<string> {
  const { result } = (await messageOf(await wire.call('job', {}, as('strong')))) as { result: JsonObject };
  return String(result['taskId']);
}

/** The state of the task, for a token that has the scopes of its tool. */
async function stateOf(wire: HttpWire, taskId: string): Promise<JsonObject> {
  const got = await messageOf(await wire.ask('tasks/get', { taskId }, as('strong', taskId)));
  return got['result'] as JsonObject;
}

async function expectRefused(wire: HttpWire, taskId: string): Promise<void> {
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    const refused = await wire.ask(method, { taskId, inputResponses: {} }, as('weak', taskId));
    expect([method, refused.status]).toEqual([method, 403]);
    expect(refused.headers.get('www-authenticate')).toContain('scope="notes:write notes:read"');
  }
}

test('a task needs the scopes of its tool, while it runs and after its end', async () => {
  const { tool, end } = guarded();
  await using wire = await HttpWire.open(taskServer([tool]), stateless, { authorization }, supportsTasks);
  const taskId = await begin(wire);
  await expectRefused(wire, taskId);
  expect(await stateOf(wire, taskId)).toMatchObject({ status: 'working' });
  end('A secret');
  while ((await stateOf(wire, taskId))['status'] !== 'completed');
  await expectRefused(wire, taskId);
});

test('a subscription without the scopes of the tool does not have its task', async () => {
  const { tool } = guarded();
  await using wire = await HttpWire.open(taskServer([tool]), stateless, { authorization }, supportsTasks);
  const taskId = await begin(wire);
  const acknowledged = async (token: string) => {
    const ended = new AbortController();
    const request = wire.request('subscriptions/listen', { notifications: { taskIds: [taskId] } });
    const stream = new EventReader(await wire.send(request, as(token), ended.signal));
    const { params } = JSON.parse((await stream.next())!.data!) as { params: JsonObject };
    ended.abort();
    return params['notifications'];
  };
  expect(await acknowledged('weak')).toEqual({});
  expect(await acknowledged('strong')).toEqual({ taskIds: [taskId] });
});
