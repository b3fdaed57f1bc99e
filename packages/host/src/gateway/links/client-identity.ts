import { isObject } from '@mcp/kit';
import type { Identity } from '@mcp/protocol/client';
import type { JsonObject, ProxyCall, ProxyClient } from '@mcp/protocol/proxy';

type Info = Identity['info'];

const tasksExtension = 'io.modelcontextprotocol/tasks';

/** The capabilities of a client that allow a server to ask it for something. */
const asking = ['elicitation', 'sampling', 'roots'];

/** A client of the gateway as its servers see it: by its own name, with its own capabilities. */
export class ClientIdentity {
  readonly info: Info;
  /** Whether the client has opened a conversation by `initialize`; a client of 2026-07-28 has not. */
  readonly converses: boolean;
  /** The capabilities declared to a server up to 2025-11-25, once for a connection. */
  readonly conversation: JsonObject;
  /** The capabilities declared to a server of 2026-07-28, with each request. */
  readonly stateless: JsonObject;
  /** Whether a server may ask this client for something. */
  readonly answers: boolean;
  /** Whether only its name identifies the client, as for 2026-07-28 over HTTP without authorization. */
  readonly anonymous: boolean;
  readonly #identities = new Map<ProxyCall['logLevel'], Identity>();

  constructor(client: ProxyClient, gateway: Info) {
    const { info, capabilities, conversation, connection, principal } = client;
    this.info = isInfo(info) ? info : gateway;
    this.converses = conversation !== undefined;
    this.answers = asking.some((name) => capabilities[name] !== undefined);
    this.anonymous = connection === undefined && principal === undefined;
    // The capability `tasks` of 2025-11-25 is another feature than the tasks extension of 2026-07-28.
    const { tasks: _, roots, ...others } = capabilities;
    if (conversation) {
      this.conversation = { ...others, ...(roots !== undefined && { roots }) };
      this.stateless = { ...withoutTasks(others), ...(roots !== undefined && { roots: {} }) };
    } else {
      // An anonymous client declares no roots: a server could use these roots for another client, too.
      const known = roots !== undefined && !this.anonymous;
      this.conversation = { ...withoutTasks(others), ...(known && { roots: {} }) };
      this.stateless = capabilities;
    }
  }

  /** The identity declared to a server; `logLevel` selects the log messages that the client wants. */
  at(logLevel: ProxyCall['logLevel']): Identity {
    let identity = this.#identities.get(logLevel);
    if (!identity) {
      identity = { info: this.info, capabilities: this.stateless, logLevel };
      this.#identities.set(logLevel, identity);
    }
    return identity;
  }
}

function withoutTasks(capabilities: JsonObject): JsonObject {
  const { extensions, ...others } = capabilities;
  if (typeof extensions !== 'object' || extensions === null) return others;
  const kept = Object.entries(extensions).filter(([name]) => name !== tasksExtension);
  return kept.length > 0 ? { ...others, extensions: Object.fromEntries(kept) } : others;
}

function isInfo(info: unknown): info is Info {
  return isObject(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string';
}
