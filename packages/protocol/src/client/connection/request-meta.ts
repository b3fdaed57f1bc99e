import { isObject } from '@mcp/kit';
import type { LogLevel } from '../../define/call.ts';
import { type Id, type JsonObject } from '../../jsonrpc/message.ts';
import { metaKeys } from '../../revisions/meta-keys.ts';
import type { Revision } from '../../revisions/revision.ts';
import type { Implementation } from '../results/results.ts';

/** The description of a client in each request of a stateless revision. */
export interface Identity {
  readonly info: Implementation;
  readonly capabilities: JsonObject;
  /** The lowest level of log messages to receive; undefined for none. */
  readonly logLevel: LogLevel | undefined;
}

/**
 * Returns the parameters of a request with the `_meta` that `revision` requires.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
 */
export function withMeta(
  params: JsonObject,
  revision: Revision,
  { info, capabilities, logLevel }: Identity,
  progressToken: Id | undefined,
): JsonObject {
  const given = params['_meta'];
  if (!revision.stateless && progressToken === undefined) return params;
  const meta: JsonObject = {
    ...(isObject(given) && given),
    ...(progressToken !== undefined && { progressToken }),
  };
  if (revision.stateless) {
    meta[metaKeys.protocolVersion] = revision.version;
    meta[metaKeys.clientInfo] = info;
    meta[metaKeys.clientCapabilities] = capabilities;
    if (logLevel !== undefined) meta[metaKeys.logLevel] = logLevel;
  }
  return { ...params, _meta: meta };
}
