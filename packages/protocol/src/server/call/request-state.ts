import { Buffer } from 'node:buffer';
import { isObject } from '@mcp/kit';
import { internalError, invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { Sealer, type StateKeys } from './sealer.ts';

const lifetimeMs = 10 * 60_000;

/** The request for which a state is encrypted: only the same request of the same principal can decrypt it. */
export interface StateOwner {
  readonly method: string;
  readonly params: JsonObject;
  readonly principal: string | undefined;
}

/**
 * Encrypts and authenticates the state that a handler keeps between two rounds of a request, because the
 * client stores the state between the rounds. A state is valid for ten minutes, for its own request, and at
 * servers with the same name.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements-basic-workflow
 */
export class RequestStateSeal {
  readonly #server: string;
  readonly #sealer: Sealer;

  /** `server` is its name. Without keys, a random one is generated at the first use. */
  constructor(server: string, stateKeys: StateKeys | undefined) {
    this.#server = server;
    this.#sealer = new Sealer('request state', stateKeys);
  }

  async seal(state: unknown, owner: StateOwner, now = Date.now()): Promise<string> {
    const text = JSON.stringify({ state, expires: now + lifetimeMs });
    if (text === undefined) throw new RpcError(internalError, 'The state of a request must be a JSON value');
    return this.#sealer.seal(Buffer.from(text), this.#contextOf(owner));
  }

  /** Decrypts a state. Throws an `RpcError` if it was changed, has expired, or is of another request. */
  async open(sealed: string, owner: StateOwner, now = Date.now()): Promise<unknown> {
    const opened =
      (await this.#sealer.open(sealed, this.#contextOf(owner))) ??
      refuseState('it was not made by this server for this request');
    const { state, expires } = JSON.parse(opened.toString()) as { state: unknown; expires: number };
    return now > expires ? refuseState('it has expired') : state;
  }

  #contextOf({ method, params, principal }: StateOwner): string {
    const { _meta, inputResponses: _responses, requestState: _state, ...own } = params;
    return JSON.stringify([this.#server, method, own, principal ?? null], sorted);
  }
}

/**
 * For `JSON.stringify`: sorts the members of objects. A client may repeat a request with its members in
 * another order, and its text must be the same then, because decryption of the state needs it.
 */
function sorted(_: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Throws the `RpcError` of a state that is not accepted, for this reason. */
export function refuseState(reason: string): never {
  throw new RpcError(
    invalidParams,
    `"requestState" is refused: ${reason}; send the request again without it`,
  );
}
