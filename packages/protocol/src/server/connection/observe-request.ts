import { isObject } from '@mcp/kit';
import type { Sender } from '../../define/caller.ts';
import { isObserved, type Observation, type Observer } from '../../define/observer.ts';
import type { Route } from '../../jsonrpc/channel.ts';
import type { Request } from '../../jsonrpc/message.ts';
import { metaKeys } from '../../revisions/meta-keys.ts';
import type { Revision } from '../../revisions/revision.ts';
import { modern } from '../../revisions/table.ts';
import { standsAlone } from './request-meta.ts';

/** The connection that a request came on. */
interface Connected {
  /** The revision of the conversation; undefined before `initialize`. */
  readonly revision: Revision | undefined;
  readonly route: Route | undefined;
}

/** Starts the observation of a request; undefined if requests with its method are not observed. */
export function observeRequest(
  observer: Observer,
  { id, method, params }: Request,
  sender: Sender,
  { revision, route }: Connected,
): Observation | undefined {
  if (!isObserved(method)) return undefined;
  const given = isObject(params) ? params : {};
  return observer.received({
    id,
    method,
    params: given,
    revision: requestRevision(given['_meta'], revision),
    route: routeOf(sender, route),
    header: sender.request?.header,
  });
}

/** How a request travelled. `route` is how messages of its connection travel, if not over HTTP. */
export function routeOf({ request, sessionId }: Sender, route: Route | undefined): Route | undefined {
  return request ? { transport: request.transport, http: true, sessionId } : route;
}

function requestRevision(meta: unknown, conversation: Revision | undefined): string | undefined {
  if (!isObject(meta) || !standsAlone(meta)) return conversation?.version;
  return meta[metaKeys.protocolVersion] === modern.version ? modern.version : undefined;
}
