import { stackOf } from '@mcp/kit';
import { ResourceNotFound, type Stop } from '../../define/resource.ts';
import type { Caller } from '../../define/caller.ts';
import { invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { metaKeys } from '../../revisions/meta-keys.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { objectParam } from '../call/params.ts';
import { complete, type Result } from '../call/result.ts';
import type { TaskService } from '../call/task-service.ts';
import type { ListKind } from '../../define/live-list.ts';
import { stopAll } from '../watches/stop-all.ts';
import { PendingUpdates } from '../watches/pending-updates.ts';

const listFilters = [
  ['toolsListChanged', 'tools'],
  ['promptsListChanged', 'prompts'],
  ['resourcesListChanged', 'resources'],
] as const satisfies readonly (readonly [string, ListKind])[];

/** Reports changes of resources, lists and tasks: the runtime of a server, or the session of a proxy. */
export interface WatchSource {
  /** The lists that may change. */
  readonly live: { readonly [Kind in ListKind]: boolean };
  readonly tasks: Pick<TaskService, 'watch'> | undefined;
  /** Calls `changed` after every change; undefined if the resource cannot be watched. */
  watchResource(uri: string, changed: () => void, caller: Caller | undefined): Promise<Stop> | undefined;
  watchList(kind: ListKind, changed: () => void): Promise<Stop>;
  /** The lists that another caller sees differently; undefined for a proxy, whose lists all callers share. */
  changedLists?(before: Caller | undefined, now: Caller | undefined): readonly ListKind[];
}

/** The notifications that the client has not got yet. */
type Updates = PendingUpdates<{ readonly method: string; readonly params?: JsonObject }>;

/** The maximum number of URIs in one `subscriptions/listen` request. */
export const maxUris = 10_000;

/**
 * Answers `subscriptions/listen`: acknowledges the subscriptions that the server supports, then notifies the
 * client of changes until either side ends the request.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export async function listen(source: WatchSource, call: ActiveCall, params: JsonObject): Promise<Result> {
  const filter = objectParam(params, 'notifications');
  const uris = uriList(filter['resourceSubscriptions']);
  const _meta = { [metaKeys.subscriptionId]: call.id };
  const updates: Updates = new PendingUpdates(call.outlet, (news) =>
    call.notify(news.method, { _meta, ...news.params }),
  );

  const ended = new Promise<void>((resolve) => {
    call.cancelled = () => resolve();
    call.finish = resolve;
  });
  const stops: Stop[] = [];
  try {
    const taskIds = await watchTasks(source, call, filter['taskIds'], updates, stops);
    let { caller } = call;
    call.renewed = (renewed) => {
      for (const kind of source.changedLists?.(caller, renewed) ?? [])
        if (filter[`${kind}ListChanged`] === true) addListChange(updates, kind);
      caller = renewed;
    };
    const honoured = { ...(await startWatching(source, call, filter, uris, updates, stops)), ...taskIds };
    call.notify('notifications/subscriptions/acknowledged', { _meta, notifications: honoured });
    updates.release();
    await ended;
  } finally {
    updates.clear();
    await stopAll(stops);
  }
  return complete({ _meta });
}

async function watchTasks(
  { tasks }: WatchSource,
  call: ActiveCall,
  taskIds: unknown,
  updates: Updates,
  stops: Stop[],
): Promise<JsonObject> {
  if (taskIds === undefined || !tasks) return {};
  const method = 'notifications/tasks';
  const { watchable, stop } = await tasks.watch(call, taskIds, (task) =>
    updates.add(`${method} ${String(task['taskId'])}`, { method, params: task }),
  );
  stops.push(stop);
  return watchable.length > 0 ? { taskIds: watchable } : {};
}

async function startWatching(
  source: WatchSource,
  call: ActiveCall,
  filter: JsonObject,
  uris: readonly string[] | undefined,
  updates: Updates,
  stops: Stop[],
): Promise<JsonObject> {
  const honoured: JsonObject = {};
  for (const [name, kind] of listFilters) {
    if (filter[name] !== true || !source.live[kind]) continue;
    stops.push(await source.watchList(kind, () => addListChange(updates, kind)));
    honoured[name] = true;
  }
  if (!uris) return honoured;

  const watched = await Promise.all(
    uris.map(async (uri) => {
      const update = { method: 'notifications/resources/updated', params: { uri } };
      // The acknowledgement omits resources that cannot be watched, so that the client expects no updates.
      return (await watch(source, call, uri, () => updates.add(uri, update)))?.stop;
    }),
  );
  const watchable = uris.filter((_, index) => watched[index]);
  if (watchable.length > 0) honoured['resourceSubscriptions'] = watchable;
  call.subscriptions = watchable.length;
  for (const stop of watched) if (stop) stops.push(stop);
  return honoured;
}

function addListChange(updates: Updates, kind: ListKind): void {
  const method = `notifications/${kind}/list_changed`;
  updates.add(method, { method });
}

async function watch(
  source: WatchSource,
  { peer, caller }: ActiveCall,
  uri: string,
  changed: () => void,
): Promise<{ stop: Stop } | undefined> {
  try {
    const stop = await source.watchResource(uri, changed, caller);
    return stop && { stop };
  } catch (error) {
    if (!(error instanceof ResourceNotFound))
      peer.warn?.(`${JSON.stringify(uri)} cannot be watched: ${reasonOf(error)}`);
    return undefined;
  }
}

function uriList(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((uri) => typeof uri === 'string')) {
    throw new RpcError(invalidParams, '"notifications.resourceSubscriptions" must be a list of URIs');
  }
  if (value.length > maxUris) {
    throw new RpcError(invalidParams, `At most ${maxUris} URIs can be subscribed to in one request`);
  }
  return [...new Set<string>(value)];
}

/** The message of an error that the author meant for clients; the stack of any other error. */
function reasonOf(error: unknown): string {
  return error instanceof RpcError ? error.message : stackOf(error);
}
