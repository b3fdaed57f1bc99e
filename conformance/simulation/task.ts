import type { Context } from './context.ts';
import { pause } from '../../packages/kit/src/index.ts';
import { Exchange, Lost, type Received } from './exchange.ts';
import type { Replica } from './replica.ts';

const version = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'tasks', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};

interface State {
  readonly taskId: string;
  readonly status: string;
}

/** Starts a task at any replica, and asks all replicas for it until it is over. */
export async function finishTask(context: Context, what: string, ms: number): Promise<void> {
  const replica = context.anyReplica();
  const { process } = replica;
  const params = { name: 'work', arguments: { ms } };
  const begun = await ask(context, 'tools/call', 'work', params, replica);
  if (!begun) return;
  for (;;) {
    await pause(100);
    const { taskId } = begun;
    const state = await ask(context, 'tasks/get', taskId, { taskId }, context.anyReplica());
    if (!state || state.status === 'working') continue;
    context.tasks.set(taskId, state.status);
    if (state.status === 'failed' && process.disturbedAt === -Infinity)
      context.violated(`the task of ${what} has failed, although its process is well`);
    return;
  }
}

/** The state of a task at a replica; undefined if it cannot be told now. */
export async function stateAt(
  context: Context,
  replica: Replica,
  taskId: string,
): Promise<string | undefined> {
  return (await ask(context, 'tasks/get', taskId, { taskId }, replica))?.status;
}

async function ask(
  context: Context,
  method: string,
  name: string,
  params: object,
  replica: Replica,
): Promise<State | undefined> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': method,
    'mcp-name': name,
  };
  const exchange = new Exchange(context.world, replica, { method: 'POST', headers, body });
  try {
    return resultIn(context, await exchange.reply, method);
  } catch (error) {
    if (error instanceof Lost) return undefined;
    throw error;
  }
}

function resultIn(context: Context, { status, text }: Received, method: string): State | undefined {
  if (status === 503 || text === undefined) return undefined;
  const { result, error } = JSON.parse(text) as { result?: State; error?: { message: string } };
  if (!result && method === 'tasks/get' && status !== 500) context.violated(`a task: ${error?.message}`);
  return result;
}
