import type { JsonObject } from '../../jsonrpc/message.ts';
import { clientCapabilitiesIn } from '../../revisions/encode-input.ts';
import type { Revision } from '../../revisions/revision.ts';
import { negotiate } from '../../revisions/table.ts';
import { objectParam, optionalObjectParam, stringParam } from '../call/params.ts';

/** What `initialize` decides for a conversation. */
export interface Handshake {
  readonly revision: Revision;
  /** The capabilities of the client, without those that the revision does not define. */
  readonly capabilities: JsonObject;
  /** The client's description of itself. */
  readonly info: JsonObject;
}

/** The handshake in the parameters of an `initialize`; throws an `RpcError` if one is missing or invalid. */
export function handshakeIn(params: JsonObject): Handshake {
  stringParam(params, 'protocolVersion');
  const info = objectParam(params, 'clientInfo');
  stringParam(info, 'name');
  const revision = negotiate(params['protocolVersion']);
  const capabilities = clientCapabilitiesIn(revision, optionalObjectParam(params, 'capabilities'));
  return { revision, capabilities, info };
}
