import { isObject } from '@mcp/kit';
import { ConnectionClosed, RpcError } from '../../jsonrpc/error.ts';
import { headerMismatch, missingClientCapability, unsupportedVersion } from '../../revisions/codes.ts';
import { metaKeys } from '../../revisions/meta-keys.ts';
import type { Revision } from '../../revisions/revision.ts';
import { latestLegacy, modern, revisions } from '../../revisions/table.ts';
import type { CallOptions } from '../call-options.ts';
import { checkResult } from '../results/check-result.ts';
import type { Implementation } from '../results/results.ts';
import type { Agreement, Link } from './link.ts';
import { implementation } from '../results/shapes.ts';

/** Returns the revision with this version string; throws if this package does not have the revision. */
export function revisionOf(version: string): Revision {
  const revision = revisions.find((known) => known.version === version);
  if (revision) return revision;
  const known = revisions.map((each) => each.version).join(', ');
  throw new Error(`Invalid revision: "${version}"; expected one of ${known}`);
}

/**
 * Sends `server/discover` to determine whether the server is stateless; returns undefined if the server needs
 * `initialize`.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#backward-compatibility
 */
export async function probe(link: Link, timeoutMs: number): Promise<Agreement | undefined> {
  try {
    return await discover(link, { timeoutMs });
  } catch (error) {
    if (error instanceof RpcError && error.code === unsupportedVersion) {
      // If the error lists an older version that this client supports too, the server needs `initialize`.
      if (sharedWith(error).some(({ stateless }) => !stateless)) return undefined;
      throw error;
    }
    if (isFinal(error)) throw error;
    return undefined;
  }
}

/** Whether another handshake with the same server would fail as well. */
export function isFinal(error: unknown): boolean {
  if (error instanceof RpcError) return [headerMismatch, missingClientCapability].includes(error.code);
  if (error instanceof ConnectionClosed || !(error instanceof Error)) return false;
  if ('phase' in error) return true;
  // 401, 403 and 407 refuse the credentials, 429 the rate of requests: another handshake changes neither.
  if ('status' in error) return [401, 403, 407, 429].includes(Number(error.status));
  return 'unreachable' in error;
}

/** The revisions that both sides have, read from the error with which a server refuses a revision. */
function sharedWith({ data }: RpcError): readonly Revision[] {
  const supported = isObject(data) ? data['supported'] : undefined;
  return revisions.filter(({ version }) => Array.isArray(supported) && supported.includes(version));
}

/**
 * Sends `server/discover`. If the server refuses the version but lists it as supported, sends the request
 * again.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover
 */
export async function discover(link: Link, options: CallOptions = {}): Promise<Agreement> {
  const send = () => link.send(modern, 'server/discover', {}, options);
  const answer = await send().catch((error: unknown) => {
    const retries = error instanceof RpcError && error.code === unsupportedVersion;
    if (retries && sharedWith(error).includes(modern)) return send();
    throw error;
  });
  const result = checkResult('server/discover', answer);
  const { capabilities, instructions, supportedVersions: supported, _meta } = result;
  if (supported && !supported.includes(modern.version)) {
    const message = `The server supports ${supported.join(', ')}, but not ${modern.version}`;
    throw new RpcError(unsupportedVersion, message, { supported });
  }
  const serverInfo = implementationOf(_meta?.[metaKeys.serverInfo]);
  return { revision: modern, capabilities, serverInfo, instructions };
}

export async function initialize(link: Link, requested: Revision = latestLegacy): Promise<Agreement> {
  const { capabilities: own, info: clientInfo } = link.identity(requested);
  const params = { protocolVersion: requested.version, capabilities: own, clientInfo };
  const result = checkResult('initialize', await link.send(requested, 'initialize', params));
  const { protocolVersion, capabilities, serverInfo, instructions } = result;
  const revision = revisions.find(({ version, stateless }) => !stateless && version === protocolVersion);
  if (!revision)
    throw new Error(`The server supports only "${protocolVersion}", which this client does not support`);
  link.notify('notifications/initialized');
  return { revision, capabilities, serverInfo: implementationOf(serverInfo), instructions };
}

/**
 * Sends `initialize`. If the server refuses `initialize`, sends `server/discover` a second time, because the
 * server may have answered the first one, but too late. If `server/discover` fails too, throws the refusal of
 * `initialize`.
 */
export async function initializeOrDiscover(link: Link): Promise<Agreement> {
  try {
    return await initialize(link);
  } catch (refusal) {
    if (!(refusal instanceof RpcError)) throw refusal;
    return discover(link).catch(() => Promise.reject(refusal));
  }
}

function implementationOf(value: unknown): Implementation | undefined {
  return isImplementation(value) ? { ...value, version: value.version ?? '' } : undefined;
}

function isImplementation(value: unknown): value is Omit<Implementation, 'version'> & { version?: string } {
  return implementation(value, 'serverInfo') === undefined;
}
