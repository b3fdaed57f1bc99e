import { ConnectionClosed, RpcError } from '../../jsonrpc/error.ts';
import { isObject, type JsonObject } from '../../jsonrpc/message.ts';
import { headerMismatch, missingClientCapability, unsupportedVersion } from '../../revisions/codes.ts';
import { metaKeys } from '../../revisions/meta-keys.ts';
import type { Revision } from '../../revisions/revision.ts';
import { latestLegacy, modern, revisions } from '../../revisions/table.ts';
import { checkResult } from '../results/check-result.ts';
import type { Implementation } from '../results/results.ts';
import { implementation } from '../results/shapes.ts';

/** What a client knows of its server once they have agreed on a revision. */
export interface Agreement {
  readonly revision: Revision;
  readonly capabilities: JsonObject;
  readonly serverInfo: Implementation | undefined;
  readonly instructions: string | undefined;
}

/** A connection on which no revision is agreed yet. */
export interface Handshake {
  readonly clientInfo: Implementation;
  readonly probeTimeoutMs: number;
  capabilities(revision: Revision): JsonObject;
  /** Sends a request as `revision` does and returns its result. */
  send(revision: Revision, method: string, params: JsonObject, timeoutMs?: number): Promise<JsonObject>;
  notify(method: string): void;
}

/** The revision of a version that a client was told to speak. */
export function revisionOf(version: string): Revision {
  const revision = revisions.find((known) => known.version === version);
  if (revision) return revision;
  const known = revisions.map((each) => each.version).join(', ');
  throw new Error(`Invalid protocolVersion: "${version}"; expected one of ${known}`);
}

/**
 * Finds out whether the server is stateless; undefined where it takes a handshake instead.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#backward-compatibility
 */
export async function probe(handshake: Handshake, timeoutMs?: number): Promise<Agreement | undefined> {
  try {
    return await discover(handshake, timeoutMs ?? handshake.probeTimeoutMs);
  } catch (error) {
    if (error instanceof RpcError && error.code === unsupportedVersion) {
      // It has named its versions: an older one that both sides have is spoken after its handshake.
      if (sharedWith(error).length > 0) return undefined;
      throw error;
    }
    if (isFinal(error)) throw error;
    return undefined;
  }
}

/** Whether another way to shake hands would fail as well. */
function isFinal(error: unknown): boolean {
  if (error instanceof RpcError) return [headerMismatch, missingClientCapability].includes(error.code);
  if (error instanceof ConnectionClosed || !(error instanceof Error)) return false;
  if ('phase' in error) return true;
  // 401 and 403 are about the user, 429 about the rate, and no status at all is a server that cannot be reached.
  if ('status' in error) return [401, 403, 407, 429].includes(Number(error.status));
  return 'unreachable' in error;
}

/** The revisions that both sides have, by the error of a server which refuses another one. */
function sharedWith({ data }: RpcError): readonly Revision[] {
  const supported = isObject(data) ? data['supported'] : undefined;
  return revisions.filter(({ version }) => Array.isArray(supported) && supported.includes(version));
}

/**
 * Learns what a stateless server is. One that refuses the version, and names it among those it has, is sent it again.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover
 */
export async function discover(handshake: Handshake, timeoutMs?: number): Promise<Agreement> {
  const send = () => handshake.send(modern, 'server/discover', {}, timeoutMs);
  const answer = await send().catch((error: unknown) => {
    const retries = error instanceof RpcError && error.code === unsupportedVersion;
    if (retries && sharedWith(error).includes(modern)) return send();
    throw error;
  });
  const result = checkResult('server/discover', answer);
  const { capabilities, instructions, supportedVersions: supported, _meta } = result;
  if (supported && !supported.includes(modern.version)) {
    const message = `The server speaks ${supported.join(', ')}, and not ${modern.version}`;
    throw new RpcError(unsupportedVersion, message, { supported });
  }
  const serverInfo = _meta?.[metaKeys.serverInfo];
  return {
    revision: modern,
    capabilities,
    serverInfo: isImplementation(serverInfo) ? serverInfo : undefined,
    instructions,
  };
}

export async function initialize(
  handshake: Handshake,
  requested: Revision = latestLegacy,
): Promise<Agreement> {
  const result = checkResult(
    'initialize',
    await handshake.send(requested, 'initialize', {
      protocolVersion: requested.version,
      capabilities: handshake.capabilities(requested),
      clientInfo: handshake.clientInfo,
    }),
  );
  const { protocolVersion, capabilities, serverInfo, instructions } = result;
  const revision = revisions.find(({ version, stateless }) => !stateless && version === protocolVersion);
  if (!revision) throw new Error(`The server speaks only "${protocolVersion}", which this client does not`);
  handshake.notify('notifications/initialized');
  return {
    revision,
    capabilities,
    serverInfo: isImplementation(serverInfo) ? serverInfo : undefined,
    instructions,
  };
}

function isImplementation(value: unknown): value is Implementation {
  return implementation(value, 'serverInfo') === undefined;
}
