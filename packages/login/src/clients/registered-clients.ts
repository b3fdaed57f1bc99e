import type { RegisteredClient, State } from '../store/state.ts';

const maxClients = 500;
/** A registration that the user did not approve ends after a day, another a year after the last approval. */
const pendingMs = 86_400_000;
const approvedMs = 365 * 86_400_000;

/**
 * Adds a client. Above the bound, others are forgotten: first those that the user never let in, and of these
 * the oldest.
 */
export function addClient(state: State, client: RegisteredClient): void {
  const rank = ({ approvedAt, createdAt }: RegisteredClient) => [Number(approvedAt !== undefined), createdAt];
  const others = state.clients.toSorted((one, other) => {
    const [[a = 0, from = 0], [b = 0, since = 0]] = [rank(one), rank(other)];
    return b - a || since - from;
  });
  state.clients = [client, ...others.slice(0, maxClients - 1)];
}

export function findClient({ clients }: State, id: string, now: number): RegisteredClient | undefined {
  const client = clients.find((each) => each.id === id);
  return client && !isForgotten(client, now) ? client : undefined;
}

export function removeForgotten(state: State, now: number): void {
  state.clients = state.clients.filter((client) => !isForgotten(client, now));
}

function isForgotten({ createdAt, approvedAt }: RegisteredClient, now: number): boolean {
  return approvedAt === undefined ? now - createdAt > pendingMs : now - approvedAt > approvedMs;
}
