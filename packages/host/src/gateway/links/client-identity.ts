import { isObject } from '@mcp/kit';
import type { LogLevel } from '@mcp/protocol';
import { type Identity, logLevels, tasksExtension } from '@mcp/protocol/client';
import type { JsonObject, ProxyCall, ProxyClient } from '@mcp/protocol/proxy';
import { showsViews, viewsExtension } from '../../shows-views.ts';

type Info = Identity['info'];

/** The first revision whose tools have the `_meta` that says which of them are for views alone. */
const firstWithMeta = '2025-06-18';

/** The capabilities of a client that allow a server to ask it for something. */
const asking = ['elicitation', 'sampling', 'roots'];

/**
 * A client of the gateway as the servers see it: with its own name and capabilities, not those of the
 * gateway.
 */
export class ClientIdentity {
  readonly info: Info;
  /** Whether the client has sent `initialize`, as clients up to 2025-11-25 do. */
  readonly converses: boolean;
  /** The capabilities declared to a server up to 2025-11-25, once for a connection. */
  readonly conversation: JsonObject;
  /** The capabilities declared to a server of 2026-07-28, with each request. */
  readonly stateless: JsonObject;
  /** Whether a server may send requests to this client. */
  readonly answers: boolean;
  /** Whether only the name identifies the client: it uses 2026-07-28 over HTTP without authorization. */
  readonly anonymous: boolean;
  /** The ids of the extensions that the client declares, without the id of the tasks extension. */
  readonly extensions: ReadonlySet<string>;
  readonly showsViews: boolean;
  /** The level of the log messages that the gateway shows itself; undefined for none. */
  readonly shownLogs: LogLevel | undefined;
  readonly #identities = new Map<ProxyCall['logLevel'], Identity>();

  constructor(client: ProxyClient, gateway: Info, shownLogs: LogLevel | undefined) {
    this.shownLogs = shownLogs;
    const { info, conversation, connection, principal } = client;
    const capabilities =
      client.revision < firstWithMeta ? without(viewsExtension, client.capabilities) : client.capabilities;
    this.info = isInfo(info) ? info : gateway;
    this.converses = conversation !== undefined;
    this.answers = asking.some((name) => capabilities[name] !== undefined);
    this.anonymous = connection === undefined && principal === undefined;
    const { extensions = {} } = withoutTasks(capabilities);
    this.extensions = new Set(Object.keys(extensions as JsonObject));
    this.showsViews = showsViews(capabilities);
    // The capability `tasks` of 2025-11-25 is not passed on to servers: the tasks extension of 2026-07-28 is
    // another feature.
    const { tasks: _, roots, ...others } = capabilities;
    if (conversation) {
      this.conversation = { ...others, ...(roots !== undefined && { roots }) };
      this.stateless = { ...withoutTasks(others), ...(roots !== undefined && { roots: {} }) };
    } else {
      // The roots of an anonymous client are not declared: several clients may count as this client, and a
      // server could use the roots of one for another.
      const known = roots !== undefined && !this.anonymous;
      this.conversation = { ...withoutTasks(others), ...(known && { roots: {} }) };
      this.stateless = capabilities;
    }
  }

  /** The level to ask of a server, for a client that wants messages from `wanted` on. */
  logLevelFor(wanted: LogLevel | undefined): LogLevel | undefined {
    const { shownLogs } = this;
    if (wanted === undefined || shownLogs === undefined) return wanted ?? shownLogs;
    return isFrom(shownLogs, wanted) ? wanted : shownLogs;
  }

  /** The identity declared to a server, for a client that wants log messages from `wanted` on. */
  at(wanted: ProxyCall['logLevel']): Identity {
    const logLevel = this.logLevelFor(wanted);
    let identity = this.#identities.get(logLevel);
    if (!identity) {
      identity = { info: this.info, capabilities: this.stateless, logLevel };
      this.#identities.set(logLevel, identity);
    }
    return identity;
  }
}

/** Whether a log message of `level` belongs to those from `lowest` on. */
export function isFrom(level: LogLevel, lowest: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(lowest);
}

function withoutTasks(capabilities: JsonObject): JsonObject {
  return without(tasksExtension.id, capabilities);
}

function without(extension: string, capabilities: JsonObject): JsonObject {
  const { extensions, ...others } = capabilities;
  if (typeof extensions !== 'object' || extensions === null) return others;
  const kept = Object.entries(extensions).filter(([name]) => name !== extension);
  return kept.length > 0 ? { ...others, extensions: Object.fromEntries(kept) } : others;
}

function isInfo(info: unknown): info is Info {
  return isObject(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string';
}
