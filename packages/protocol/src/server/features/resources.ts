import {
  blobResourceContents,
  type ListedResource,
  type ResourceContents,
  textResourceContents,
} from '../../define/content.ts';
import { type Resource, ResourceNotFound, type ResourceValue } from '../../define/resource.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { encodeResource, encodeTemplate, pick } from '../../revisions/encode.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { listPage } from './list-page.ts';
import { cacheOf, uriOf } from './pagination.ts';
import { runHandler } from './run-handler.ts';
import { notFound, uriParam } from '../call/params.ts';
import { noCache, complete, type Result } from '../call/result.ts';
import { refuseLackingScopes, usableBy } from '../access.ts';
import type { Runtime } from '../runtime.ts';

export function listResources(
  runtime: Runtime,
  call: ActiveCall,
  { cursor }: JsonObject,
): Result | Promise<Result> {
  const load = () => loadResources(runtime, call);
  const list = { name: 'resources', load, keyOf: uriOf, encode: encodeResource, cache: noCache };
  return listPage(runtime, call, { method: 'resources/list', ...list }, cursor);
}

async function loadResources(runtime: Runtime, call: ActiveCall): Promise<readonly ListedResource[]> {
  const listed: ListedResource[] = [];
  for (const { uri, template, definition } of usableBy(runtime.resources, call.caller)) {
    if (!template) listed.push({ ...definition, uri });
    else await addListed(listed, definition, call);
  }
  for (const { definition } of usableBy(runtime.unlisted, call.caller))
    await addListed(listed, definition, call);
  return listed;
}

async function addListed(
  listed: ListedResource[],
  definition: Resource<object>['definition'],
  call: ActiveCall,
): Promise<void> {
  if (definition.list) for await (const resource of await definition.list(call)) listed.push(resource);
}

export function listTemplates(
  runtime: Runtime,
  call: ActiveCall,
  { cursor }: JsonObject,
): Result | Promise<Result> {
  const { templates } = runtime;
  const load = () => usableBy(templates, call.caller);
  const list = {
    name: 'resourceTemplates',
    load,
    keyOf: uriOf,
    encode: encodeTemplate,
    cache: cacheOf(templates, call.caller),
  };
  return listPage(runtime, call, { method: 'resources/templates/list', ...list }, cursor);
}

export async function readResource(runtime: Runtime, call: ActiveCall, params: JsonObject): Promise<Result> {
  const uri = uriParam(params);
  const found = runtime.resource(uri);
  if (!found) throw notFound(call.revision, uri);
  const { resource, variables } = found;
  refuseLackingScopes(resource, call);
  const run = () => resource.definition.read(variables, call);
  const encode = (value: ResourceValue) => encodeValue(call, resource, value);
  const subject = () => ({ name: uri, args: variables });
  const method = { name: 'resources/read', subject, run, encode } as const;
  try {
    call.uri = uri;
    return await runHandler(method, { runtime, call, params });
  } catch (error) {
    if (error instanceof ResourceNotFound) throw notFound(call.revision, error.uri, error.message);
    throw error;
  }
}

function encodeValue(
  { revision, uri }: ActiveCall,
  { definition }: Resource<object>,
  value: ResourceValue,
): Result {
  const { mimeType, cache = noCache } = definition;
  const contents = contentsOf(uri, mimeType, value);
  return complete({ contents: contents.map((part) => pick(revision, 'contents', part)) }, cache);
}

function contentsOf(
  uri: string,
  mimeType: string | undefined,
  value: ResourceValue,
): readonly ResourceContents[] {
  if (typeof value === 'string') return [textResourceContents(uri, value, mimeType)];
  if (value instanceof Uint8Array) return [blobResourceContents(uri, value, mimeType)];
  return Array.isArray(value) ? value : [value as ResourceContents];
}
