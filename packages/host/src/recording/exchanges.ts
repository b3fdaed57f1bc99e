import { isObject } from '@mcp/kit';
import { type JsonObject, type JsonSource, memberSource } from '@mcp/protocol/proxy';
import { usageError } from '../errors.ts';

/** A recorded request of a client, with what the server sent for it. */
export interface Exchange {
  readonly method: string;
  readonly params: JsonObject;
  readonly id: unknown;
  /** Messages of the server that are no answers: those before the answer, and those after it. */
  readonly before: JsonObject[];
  readonly after: JsonObject[];
  /** The JSON text of the member `result` or `error` of the answer; undefined if none was recorded. */
  answer?: { readonly member: 'result' | 'error'; readonly text: string };
}

const version = 'io.modelcontextprotocol/protocolVersion';

/** What requests must have in common to get the same answer. */
export function keyOf(method: string, params: JsonObject): string {
  if (method === 'initialize') return JSON.stringify([method, params['protocolVersion']]);
  const { _meta: meta, ...rest } = params;
  return JSON.stringify([method, sorted(rest), isObject(meta) ? meta[version] : undefined]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key])]),
  );
}

/**
 * The exchanges with one server in the text of a recording. Throws a `HostError` with the line of a mistake,
 * and if it has several servers of which none is named.
 */
export function exchangesOf(file: string, text: string, server: string | undefined): readonly Exchange[] {
  const lines = text.split('\n').flatMap((line, index) => lineOf(line, `${file}:${index + 1}:1`) ?? []);
  const names = [...new Set(lines.map((line) => line.server))];
  const chosen = server ?? names[0];
  if (chosen === undefined) throw usageError(`The recording "${file}" has no messages`);
  if (!names.includes(chosen))
    throw usageError(`The recording "${file}" has no server "${chosen}"; it has ${names.join(', ')}`);
  if (server === undefined && names.length > 1)
    throw usageError(`The recording "${file}" has several servers; name one of ${names.join(', ')}`);
  const exchanges: Exchange[] = [];
  const connections = new Map<unknown, Connection>();
  for (const line of lines.filter((each) => each.server === chosen)) {
    const connection = connections.get(line.connection) ?? new Connection(exchanges);
    connections.set(line.connection, connection);
    for (const source of messagesOf(line.message)) connection.add(line.from, source);
  }
  return exchanges;
}

interface Line {
  readonly server: string;
  readonly connection: unknown;
  readonly from: unknown;
  readonly message: JsonSource;
}

function lineOf(line: string, place: string): Line | undefined {
  if (line.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw usageError(`${place}: Expected a line of JSON, as --trace writes it`);
  }
  if (!isObject(value) || typeof value['server'] !== 'string')
    throw usageError(
      `${place}: Expected an object with "server", "from" and "message", as --trace writes it`,
    );
  const { server, connection, from } = value;
  // The messages of a batch are only in revision 2025-03-26, and short enough for JavaScript's numbers.
  if (Array.isArray(value['message'])) return { server, connection, from, message: { value, text: '' } };
  const message = memberSource({ value, text: line }, 'message');
  return message && { server, connection, from, message };
}

function messagesOf({ value, text }: JsonSource): readonly JsonSource[] {
  if (text !== '') return [{ value, text }];
  const batch = value['message'] as readonly unknown[];
  return batch.filter((each) => isObject(each)).map((each) => ({ value: each, text: JSON.stringify(each) }));
}

/** Collects the exchanges of one connection. */
class Connection {
  readonly #exchanges: Exchange[];
  readonly #open = new Map<unknown, Exchange>();
  #last: Exchange | undefined;

  constructor(exchanges: Exchange[]) {
    this.#exchanges = exchanges;
  }

  add(from: unknown, source: JsonSource): void {
    const { id, method, params } = source.value;
    if (from === 'client') {
      // Answers of the client to questions of the server are not needed.
      if (id === undefined || typeof method !== 'string') return;
      const exchange: Exchange = {
        method,
        id,
        params: isObject(params) ? params : {},
        before: [],
        after: [],
      };
      this.#exchanges.push(exchange);
      this.#open.set(id, exchange);
      return;
    }
    if (method !== undefined) {
      const open = this.#about(source.value);
      (open ? open.before : this.#last?.after)?.push(source.value);
      return;
    }
    const exchange = this.#open.get(id);
    const member = source.value['error'] === undefined ? 'result' : 'error';
    const answer = memberSource(source, member);
    if (!exchange || !answer) return;
    exchange.answer = { member, text: answer.text };
    this.#open.delete(id);
    this.#last = exchange;
  }

  /** The open request that a message of the server is about; undefined if none is open. */
  #about({ params }: JsonObject): Exchange | undefined {
    const open = [...this.#open.values()];
    const { progressToken, _meta: meta } = isObject(params) ? params : {};
    const subscription = isObject(meta) ? meta[subscriptionId] : undefined;
    if (subscription !== undefined) return open.find(({ id }) => id === subscription);
    const about = open.find(
      (each) => progressToken !== undefined && progressTokenOf(each.params) === progressToken,
    );
    return about ?? open.find((each) => each.method !== 'subscriptions/listen');
  }
}

export const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

/** The token with which a request asks for progress; undefined without one. */
export function progressTokenOf({ _meta: meta }: JsonObject): unknown {
  return isObject(meta) ? meta['progressToken'] : undefined;
}
