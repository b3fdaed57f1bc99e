import { RpcError } from '../jsonrpc/error.ts';
import { isObject, type JsonObject } from '../jsonrpc/message.ts';
import { unsupportedVersion } from '../revisions/codes.ts';
import { metaKeys } from '../revisions/meta-keys.ts';
import type { Revision } from '../revisions/revision.ts';
import { latestLegacy, modern, revisions } from '../revisions/table.ts';
import type { Implementation } from './results.ts';

/** What a client knows of its server once they have agreed on a revision. */
export interface Agreement {
  readonly revision: Revision;
  readonly capabilities: JsonObject;
  readonly serverInfo: Implementation | undefined;
  readonly instructions: string | undefined;
}

interface Asking {
  readonly clientInfo: Implementation;
  readonly capabilities: JsonObject;
  readonly probeTimeoutMs: number;
  /** Sends a request as `revision` would and waits for its result. */
  ask(revision: Revision, method: string, params: JsonObject, timeoutMs?: number): Promise<JsonObject>;
  notify(method: string): void;
}

/** Agrees on a revision with the server: on `version`, or on the newest that both have. */
export async function agree(version: string | undefined, asking: Asking): Promise<Agreement> {
  if (version === undefined) return (await probe(asking)) ?? initialize(latestLegacy, asking);
  const revision = revisions.find((known) => known.version === version);
  if (!revision)
    throw new Error(
      `No protocol version "${version}"; there are ${revisions.map((r) => r.version).join(', ')}`,
    );
  return revision.stateless ? discover(asking) : initialize(revision, asking);
}

/**
 * Finds out whether the server is stateless; undefined when it is not.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#backward-compatibility
 */
async function probe(asking: Asking): Promise<Agreement | undefined> {
  try {
    return await discover(asking, asking.probeTimeoutMs);
  } catch (error) {
    // Only a server that knows statelessness gives this error; any other failure is an older server's.
    if (!(error instanceof RpcError) || error.code !== unsupportedVersion) return undefined;
    const { supported } = (error.data ?? {}) as { supported?: readonly string[] };
    const shared = revisions.some((revision) => !revision.stateless && supported?.includes(revision.version));
    if (shared) return undefined;
    throw error;
  }
}

async function discover(asking: Asking, timeoutMs?: number): Promise<Agreement> {
  const { capabilities, instructions, _meta } = await asking.ask(modern, 'server/discover', {}, timeoutMs);
  const serverInfo = isObject(_meta) ? (_meta[metaKeys.serverInfo] as Implementation | undefined) : undefined;
  return {
    revision: modern,
    capabilities: isObject(capabilities) ? capabilities : {},
    serverInfo,
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}

async function initialize(requested: Revision, asking: Asking): Promise<Agreement> {
  const { clientInfo, capabilities } = asking;
  const params = { protocolVersion: requested.version, capabilities, clientInfo };
  const result = await asking.ask(requested, 'initialize', params);
  const revision = revisions.find(
    ({ version, stateless }) => !stateless && version === result['protocolVersion'],
  );
  if (!revision)
    throw new Error(`The server speaks only "${String(result['protocolVersion'])}", which is unknown here`);
  asking.notify('notifications/initialized');
  const { instructions } = result;
  return {
    revision,
    capabilities: isObject(result['capabilities']) ? result['capabilities'] : {},
    serverInfo: result['serverInfo'] as Implementation | undefined,
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}
