import { unref } from '@mcp/kit';
import type { ProxyCall, ProxyResult } from '../../define/proxy/proxy.ts';
import { ProcessLease } from '../../state/process-lease.ts';
import { StreamWriter } from '../../state/stream-writer.ts';
import { internalError, RpcError } from '../../jsonrpc/error.ts';
import { textOf } from '../../jsonrpc/json-source.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { SharedStore } from '../../state/shared-store.ts';
import { StreamFollower } from '../../state/stream-follower.ts';
import { rpcError } from './request-errors.ts';

/** Continues a call of this process with the parameters of a later request. */
type Take = (params: JsonObject, call: ProxyCall) => Promise<ProxyResult>;

/** What a process with a request sends to the process with its call: the request, or its cancellation. */
interface Asked {
  /** The name of the stream of its reply. */
  readonly reply: string;
  /** Undefined for the cancellation of the request. */
  readonly params?: JsonObject;
  readonly logLevel?: ProxyCall['logLevel'];
}

/** What the process with the call sends back: notifications, and then the result or an error. */
type Reply =
  | { readonly notify: Parameters<ProxyCall['notify']> }
  | { readonly progress: Parameters<ProxyCall['progress']> }
  | { readonly text: string; readonly revision: string; readonly outputSchema: ProxyResult['outputSchema'] }
  | { readonly error: Pick<RpcError, 'code' | 'message' | 'data'> };

/** How long a call is known after its last request, and as a call that has ended, in milliseconds. */
const openMs = 60 * 60_000;
const endedMs = 60_000;
/** A process counts as ended when its lease is missing at so many checks in a row. */
const maxMissing = 3;

/**
 * Calls of a proxy that wait for answers of their clients in one process, and are continued by requests that
 * arrive at any. A call goes on in its process. The methods throw a `StoreUnavailable` while the store cannot
 * be reached.
 */
export class ContinuedCalls {
  readonly #store: SharedStore;
  readonly #lease: ProcessLease;
  /** The requests of other processes that are being answered here, by the names of their replies. */
  readonly #taken = new Map<string, AbortController>();

  /** A process that gives no sign of life for `leaseMs` may count as ended. Default: 10,000. */
  constructor(store: SharedStore, leaseMs = 10_000) {
    this.#store = store;
    this.#lease = new ProcessLease(store.leases, leaseMs);
  }

  /** Lets other processes continue the call with this id, which is a secret, until the call ends here. */
  async offer(id: string, take: Take): Promise<() => void> {
    const { streams } = this.#store;
    const name = nameOf(id);
    await this.#lease.hold();
    await streams.append(name, [this.#lease.id], { at: 1, ttlMs: openMs });
    const heard = ({ text }: { text: string }) => {
      if (text !== '') this.#hear(JSON.parse(text) as Asked, take);
    };
    const follower = new StreamFollower({ streams, name, place: 1, heard, ended() {} });
    return () => {
      follower.stop();
      const end = { last: true, existing: true, ttlMs: endedMs };
      streams.append(name, [''], end).catch(() => undefined);
    };
  }

  /** Continues a call of another process; undefined if no process has a call with this id. */
  async resume(id: string, params: JsonObject, call: ProxyCall): Promise<ProxyResult | undefined> {
    const { streams } = this.#store;
    const [opening] = (await streams.after(nameOf(id), 0)) ?? [];
    if (!opening) return undefined;
    const reply = `reply:${crypto.randomUUID()}`;
    const ask = (asked: Asked) =>
      streams.append(nameOf(id), [JSON.stringify(asked)], { existing: true, ttlMs: openMs });
    if (!(await ask({ reply, params, logLevel: call.logLevel }))) return undefined;
    call.signal.addEventListener('abort', () => void ask({ reply }).catch(() => undefined), { once: true });
    return this.#replied(reply, opening.text, call);
  }

  async close(): Promise<void> {
    await this.#lease.close();
  }

  #hear({ reply, params, logLevel }: Asked, take: Take): void {
    if (params) void this.#answer(reply, (call) => take(params, call), logLevel);
    else this.#taken.get(reply)?.abort(new Error('The client has cancelled the request'));
  }

  async #answer(
    name: string,
    take: (call: ProxyCall) => Promise<ProxyResult>,
    logLevel: ProxyCall['logLevel'],
  ): Promise<void> {
    const writer = new StreamWriter({
      streams: this.#store.streams,
      name,
      lease: this.#lease,
      maxLength: Infinity,
      deliver() {},
      ended() {},
    });
    const send = (reply: Reply) => writer.add(JSON.stringify(reply));
    const stopped = new AbortController();
    const { signal } = stopped;
    this.#taken.set(name, stopped);
    try {
      const { result, source, revision, outputSchema } = await take({
        signal,
        source: undefined,
        logLevel,
        whenCancelled: (cancel) => signal.addEventListener('abort', () => cancel(signal.reason)),
        notify: (...notify) => send({ notify }),
        progress: (...progress) => send({ progress }),
      });
      send({ text: textOf(result, source), revision, outputSchema });
    } catch (error) {
      const { code, message, data } = rpcError(error);
      send({ error: { code, message, data } });
    }
    writer.end();
    this.#taken.delete(name);
  }

  async #replied(name: string, process: string, call: ProxyCall): Promise<ProxyResult> {
    const { streams } = this.#store;
    const stopped = new AbortController();
    try {
      return await new Promise((resolve, reject) => {
        const heard = ({ text }: { text: string }) => {
          if (text !== '') hear(JSON.parse(text) as Reply, call, resolve, reject);
        };
        const follower = new StreamFollower({ streams, name, place: 0, waits: true, heard, ended() {} });
        const timer = unref(setInterval(() => void check(), this.#lease.intervalMs));
        let missing = 0;
        const check = async () => {
          const isThere = await this.#lease.isHeld(process).catch(() => true);
          missing = isThere ? 0 : missing + 1;
          if (missing >= maxMissing) reject(new RpcError(internalError, endedProcess));
        };
        call.signal.addEventListener('abort', () => reject(call.signal.reason as Error), { once: true });
        stopped.signal.addEventListener('abort', () => {
          clearInterval(timer);
          follower.stop();
        });
      });
    } finally {
      stopped.abort();
    }
  }
}

/** Passes on what the process with the call sends to the request. */
function hear(
  reply: Reply,
  call: ProxyCall,
  resolve: (result: ProxyResult) => void,
  reject: (error: RpcError) => void,
): void {
  if ('notify' in reply) return call.notify(...reply.notify);
  if ('progress' in reply) return call.progress(...reply.progress);
  if ('error' in reply) {
    const { code, message, data } = reply.error;
    return reject(new RpcError(code, message, data));
  }
  const { text, revision, outputSchema } = reply;
  const value = JSON.parse(text) as JsonObject;
  resolve({ result: value, source: { value, text }, revision, outputSchema });
}

const endedProcess =
  'The process of this call has ended, and the call with it; send the request again without "requestState"';

function nameOf(id: string): string {
  return `call:${id}`;
}
