import { pause } from '../../packages/kit/src/index.ts';
import type { Client } from './client.ts';
import type { Replica } from './replica.ts';
import type { Context } from './context.ts';
import { stateAt } from './task.ts';

/** How long a client may wait for news, in milliseconds. */
const newsMs = 3_000;
const levels = ['debug', 'info', 'warning', 'error'];

/** What must hold at each replica when all faults are over. */
export async function stillHolds(context: Context, clients: readonly Client[]): Promise<void> {
  for (const client of clients) {
    for (const replica of context.replicas) {
      await hasEnded(context, client, replica);
      await hasLevel(context, client, replica);
    }
    await isTold(context, client);
  }
  for (const [taskId, status] of context.tasks)
    for (const replica of context.replicas) {
      const now = await stateAt(context, replica, taskId);
      if (now !== status) context.violated(`a task was ${status}, and is ${now} at ${replica.name}`);
    }
  for (const replica of context.replicas) keepsNothing(context, replica);
}

/** Sessions that have ended stay ended. */
async function hasEnded(context: Context, client: Client, replica: Replica): Promise<void> {
  for (const id of client.ended) {
    const { status } = await client.send(id, { id: 'late', method: 'ping' }, replica);
    if (status !== 404)
      context.violated(`a session of ${client.name} that has ended answers at ${replica.name}`);
  }
}

/** The level of log messages is that which the client has set, at whichever replica. */
async function hasLevel(context: Context, client: Client, replica: Replica): Promise<void> {
  const { session } = client;
  if (!session) return;
  const params = { name: 'speak', arguments: {} };
  const told = await client.logged(session.id, params, replica);
  if (session.levels.includes('none')) return;
  const expected = session.levels.map((level) => levels.length - levels.indexOf(level));
  if (!expected.includes(told))
    context.violated(
      `${replica.name} sends ${told} log messages to ${client.name} at level ${session.levels.join(' or ')}`,
    );
}

/** A client that has subscribed and listens is told. */
async function isTold(context: Context, client: Client): Promise<void> {
  const { session, updates } = client;
  if (!session?.isSubscribed || !session.isListening) return;
  context.world.network.redis.publish(`mcp:bus:news ${client.name}`, '');
  for (let waited = 0; client.updates === updates; waited += 100) {
    if (waited > newsMs) return context.violated(`${client.name} is not told of news any more`);
    await pause(100);
  }
}

/** Nothing grows with the number of sessions, requests and streams that are over. */
function keepsNothing(context: Context, { process, name }: Replica): void {
  const { network } = context.world;
  const channels = network.clientOf(process, 'listener')?.channels ?? [];
  const left = channels.filter((channel) => /:[0-9a-f]{8}-\d+$/.test(channel));
  if (left.length > 0) context.violated(`${name} still listens to ${left.length} streams that are over`);
}
