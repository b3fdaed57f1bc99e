import type { RegisteredClient, State } from '../store/state.ts';

const maxClients = 500;
/** A registration that the user did not approve ends after a day, another a year after the last approval. */
const pendingMs = 86_400_000;
const approvedMs = 365 * 86_400_000;

/**
 * Adds a client. Above the bound, others are forgotten: first those that the user never let in, then those
 * without access, each the oldest first. Clients with access are fewer than the bound, and none is forgotten.
 */
export function addClient(state: State, client: RegisteredClient): void {
  const withAccess = new Set(state.grants.map((grant) => grant.client.id));
  const rank = ({ id, approvedAt }: RegisteredClient) =>
    withAccess.has(id) ? 2 : Number(approvedAt !== undefined);
  const latest = ({ approvedAt, createdAt }: RegisteredClient) => approvedAt ?? createdAt;
  const others = state.clients.toSorted(
    (one, other) => rank(other) - rank(one) || latest(other) - latest(one),
  );
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
