import { createHash } from 'node:crypto';
import { isObject } from '@mcp/kit';
import { errorCodes, RpcError } from '@mcp/protocol';
import { type JsonObject, memberSource, type ProxyCall, type ProxyResult } from '@mcp/protocol/proxy';
import { gatewayError, invalid } from '../gateway-error.ts';
import type { ServerConnection } from '../links/server-connection.ts';
import { refuseUndeclared } from './declared-requests.ts';
import { callExtension } from './extension-calls.ts';
import { MessageLimit } from '../../policy/message-limit.ts';
import type { ToolPolicy } from '../../policy/tool-policy.ts';
import type { MultiRoundCall } from './multi-round-call.ts';
import { confirm, limitResult, limitTask, refusal } from './policy-call.ts';
import { RequestRoutes, type RequestRoutesOptions, type Routed } from './request-routes.ts';
import { send, sendWithAnswers } from './send.ts';
import { type ServerRequests, unknownCall } from './server-requests.ts';

export interface CallRouterOptions extends RequestRoutesOptions {
  readonly requests: ServerRequests;
}

/** Methods during which a server may ask the client for input. */
const asking = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** The methods of the extension for skills whose results have URIs, besides the list. */
const skillMethods = new Set(['skills/get', 'resources/directory/read']);

/** Maximum number of calls of one client that are remembered because their servers continue them. */
const maxContinued = 1_000;

/** Sends each request of one client to the server that must answer it. */
export class CallRouter {
  readonly routes: RequestRoutes;
  readonly #options: CallRouterOptions;
  /** The digests of calls that their servers continue with the next request, by the state of each. */
  readonly #continued = new Map<string, string>();

  constructor(options: CallRouterOptions) {
    this.#options = options;
    this.routes = new RequestRoutes(options);
  }

  /**
   * A fast path of `request`, which makes only one promise: calls a tool that is already in the catalog, on a
   * connection that is already open. Undefined if this is not possible, or if the client or the server is
   * stateless (2026-07-28).
   */
  callKnown(params: JsonObject, call: ProxyCall): Promise<ProxyResult> | undefined {
    const { name } = params;
    const found = typeof name === 'string' ? this.#options.servers.catalog.tools.get(name) : undefined;
    const connection = found?.link.connection;
    if (!found || found.policy || !connection || connection.isStateless || !this.#options.identity.converses)
      return undefined;
    const { item } = found;
    const outgoing = {
      method: 'tools/call',
      params: { ...params, name: item.name },
      source: call.source,
      outputSchema: item.outputSchema,
    };
    return send(connection, outgoing, call, { identity: this.#options.identity.at(call.logLevel) });
  }

  async request(method: string, params: JsonObject, call: ProxyCall): Promise<ProxyResult> {
    if (!this.#mayBeAsked(method, params)) return this.#deliver(method, params, call);
    const { requests } = this.#options;
    const resumed = requests.resume(params, call) ?? requests.resumeElsewhere(params, call);
    return (await resumed) ?? requests.call(call, (rounds) => this.#deliver(method, params, call, rounds));
  }

  /**
   * Calls `changed` with the state of each task, now and after changes; returns the ids of the tasks that it
   * watches, and a function that stops.
   */
  async watchTasks(taskIds: readonly string[], changed: (task: JsonObject) => void) {
    const watches = await Promise.all(
      taskIds.map((id) => this.#watchTask(id, changed).catch(() => undefined)),
    );
    return {
      watchable: taskIds.filter((_, index) => watches[index]),
      stop: () => watches.forEach((stop) => stop?.()),
    };
  }

  #sourceOf(method: string, { source }: ProxyCall) {
    return source && this.#options.settings.lazy && method === 'tools/call'
      ? memberSource(source, 'arguments')
      : source;
  }

  /**
   * Finds the server of a request, and sends the request there. `rounds` is given if the server may send
   * requests to the client during the call.
   */
  async #deliver(
    method: string,
    params: JsonObject,
    call: ProxyCall,
    rounds?: MultiRoundCall,
  ): Promise<ProxyResult> {
    const { anonymous } = this.#options.identity;
    // Requests that the server sends while it starts are assigned to this call. An anonymous client is an
    // exception: it is known only by its name, and another client with this name may have started the server.
    if (rounds && !anonymous) {
      const names = this.routes.possible(method, params);
      this.#options.requests.assign(rounds, ({ entry }) => names.includes(entry.name));
    }
    const routed = await this.routes.route(method, params, call);
    if (!routed) {
      const { servers, identity, settings } = this.#options;
      if (settings.servedTools)
        throw new RpcError(
          errorCodes.methodNotFound,
          `The method "${method}" is not served to clients that log in: it may write`,
        );
      await servers.waitForStart();
      return callExtension(method, servers.links, identity.extensions, (link) =>
        this.#send({ link, method, params, source: call.source }, params, call),
      );
    }
    const sent = { ...routed, source: this.#sourceOf(method, call) };
    if (routed.policy) return this.#sendChecked(sent, routed.policy, params, call, rounds);
    const answer = await this.#send(sent, params, call, rounds);
    const result = limitTask(routed.taskPolicy, answer.result);
    return result === answer.result ? answer : { result, revision: answer.revision };
  }

  /** Sends a call of a tool that has rules, if they allow it. */
  async #sendChecked(
    routed: Routed,
    policy: ToolPolicy,
    params: JsonObject,
    call: ProxyCall,
    rounds?: MultiRoundCall,
  ): Promise<ProxyResult> {
    const continues = this.#continues(routed, params);
    const checked = policy.check(routed.params['arguments'], { counts: !continues });
    if ('refused' in checked) return refusal(checked.refused);
    const question = continues ? undefined : policy.question(checked.args);
    const { client, identity } = this.#options;
    const reason =
      question === undefined ? undefined : await confirm(question, { client, identity, call, rounds });
    if (reason !== undefined) return refusal(reason);
    const rewritten = {
      ...routed,
      source: undefined,
      params: { ...routed.params, arguments: checked.args },
      limit: policy.maxResultBytes < Infinity ? new MessageLimit(policy.maxResultBytes) : undefined,
    };
    const answer = await limitResult(policy, this.#send(rewritten, params, call, rounds));
    const { requestState: next } = answer.result;
    if (typeof next === 'string') this.#remember(next, routed);
    return answer;
  }

  /**
   * Whether this is the request with which a server continues a call: that call was counted and confirmed
   * with its first request. It continues once, with the same tool and arguments.
   */
  #continues(routed: Routed, { requestState }: JsonObject): boolean {
    if (typeof requestState !== 'string' || this.#continued.get(requestState) !== digestOf(routed))
      return false;
    return this.#continued.delete(requestState);
  }

  #remember(requestState: string, routed: Routed): void {
    this.#continued.set(requestState, digestOf(routed));
    const [oldest] = this.#continued.keys();
    if (this.#continued.size > maxContinued && oldest !== undefined) this.#continued.delete(oldest);
  }

  /** Sends a request to its server. `asked` are the parameters as the client sent them. */
  async #send(
    routed: Routed,
    asked: JsonObject,
    call: ProxyCall,
    rounds?: MultiRoundCall,
  ): Promise<ProxyResult> {
    const { conversation } = this.#options.client;
    const { anonymous } = this.#options.identity;
    const { link } = routed;
    const primary = await link.open();
    const isOlder = !primary.isStateless;
    if (rounds && isOlder && asked['requestState'] !== undefined) throw invalid(unknownCall);
    // The call gets a connection for itself if it would otherwise be unknown to which client a message of the
    // server belongs. The calls of one client may run together on a connection that only this client uses.
    const alone = this.#logsApart(primary, call) || (rounds !== undefined && anonymous && isOlder);
    const connection = alone ? await link.acquire() : primary;
    if (rounds) this.#options.requests.assign(rounds, (on) => on === connection && isOlder);
    const identity = this.#options.identity.at(call.logLevel);
    try {
      const answer = await (conversation
        ? sendWithAnswers(connection, routed, call, { identity, conversation })
        : send(connection, routed, call, {
            identity,
            ...(rounds && { signal: rounds.signal, currentCall: () => rounds.currentCall }),
          }));
      // A conversation has answered the server's questions already.
      if (!conversation) refuseUndeclared(this.#options.identity.stateless, link.name, answer.result);
      return this.#withOwnIds(routed, asked, answer);
    } finally {
      if (alone) link.release(connection);
    }
  }

  /** Whether a log message for this call could be mistaken for one that belongs to another client's call. */
  #logsApart(connection: ServerConnection, { logLevel }: ProxyCall): boolean {
    if (this.#options.client.conversation || logLevel === undefined || !connection.logs) return false;
    return connection.isShared || this.#options.identity.anonymous;
  }

  /**
   * Whether the call possibly needs several rounds (see `MultiRoundCall`): the client is of 2026-07-28, and
   * the server can be of an older revision, which sends requests to the client before it responds.
   */
  #mayBeAsked(method: string, { name }: JsonObject): boolean {
    if (this.#options.client.conversation || !this.#options.identity.answers || !asking.has(method))
      return false;
    const known =
      method === 'tools/call' && typeof name === 'string' && this.#options.servers.catalog.tools.get(name);
    return !known || known.policy?.asks === true || known.link.connection?.isStateless !== true;
  }

  /** Replaces the server's task id and URIs in a result by the ones under which the client knows them. */
  #withOwnIds({ link, method, params }: Routed, asked: JsonObject, answer: ProxyResult): ProxyResult {
    const { result, ...others } = answer;
    const { taskId, contents } = result;
    if (typeof taskId === 'string' && (method.startsWith('tasks/') || result['resultType'] === 'task')) {
      const own = this.#options.settings.taskIds.seal(
        { server: link.name, taskId, tool: method === 'tools/call' ? String(params['name']) : undefined },
        this.#options.client.principal,
      );
      return {
        ...others,
        result: { ...result, taskId: method.startsWith('tasks/') ? asked['taskId'] : own },
      };
    }
    if (skillMethods.has(method))
      return {
        ...others,
        result: this.routes.skills.renamed(result, String(params['uri']), String(asked['uri'])),
      };
    if (method !== 'resources/read' || params['uri'] === asked['uri'] || !Array.isArray(contents))
      return answer;
    const renamed = contents.map((part) =>
      isObject(part) && part['uri'] === params['uri'] ? { ...part, uri: asked['uri'] } : part,
    );
    return { ...others, result: { ...result, contents: renamed } };
  }

  async #watchTask(id: string, changed: (task: JsonObject) => void): Promise<() => void> {
    const { link, taskId, policy } = this.routes.task(id);
    const { client, entry } = await link.open();
    const identity = this.#options.identity.at(undefined);
    const tell = async () => {
      const {
        resultType: _type,
        _meta,
        ...task
      } = await client.forward('tasks/get', { taskId }, { identity });
      changed({ ...limitTask(policy, task), taskId: id });
    };
    try {
      const stop = await client.tasks.watch(taskId, () => void tell().catch(() => {}), { identity });
      await tell();
      return () => void stop();
    } catch (error) {
      throw gatewayError(error, entry);
    }
  }
}

/** What identifies a call of a tool, as its client sent it. */
function digestOf({ link, params: { name, arguments: args } }: Routed): string {
  return createHash('sha256')
    .update(JSON.stringify([link.name, name, args]))
    .digest('base64');
}
