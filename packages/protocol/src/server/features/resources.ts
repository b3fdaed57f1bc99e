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
import { cacheOf, pageOf, uriOf } from './pagination.ts';
import { runHandler } from './run-handler.ts';
import { notFound, uriParam } from '../call/params.ts';
import { noCache, complete, type Result } from '../call/result.ts';
import { refuseLackingScopes, usableBy } from '../access.ts';
import type { Runtime } from '../runtime.ts';

export async function listResources(
  runtime: Runtime,
  call: ActiveCall,
  { cursor }: JsonObject,
): Promise<Result> {
  const listed: ListedResource[] = [];
  for (const { uri, template, definition } of usableBy(runtime.resources, call.caller)) {
    if (!template) {
      listed.push({ ...definition, uri });
    } else if (definition.list) {
      for await (const resource of await definition.list(call)) listed.push(resource);
    }
  }
  const list = { name: 'resources', items: listed, keyOf: uriOf, encode: encodeResource };
  return complete(pageOf(list, call.revision, cursor, runtime.pageSize), noCache);
}

export function listTemplates(
  runtime: Runtime,
  { revision, caller }: ActiveCall,
  { cursor }: JsonObject,
): Result {
  const { templates, pageSize } = runtime;
  const items = usableBy(templates, caller);
  const list = { name: 'resourceTemplates', items, keyOf: uriOf, encode: encodeTemplate };
  return complete(pageOf(list, revision, cursor, pageSize), cacheOf(templates));
}

export async function readResource(runtime: Runtime, call: ActiveCall, params: JsonObject): Promise<Result> {
  const uri = uriParam(params);
  const found = runtime.resource(uri);
  if (!found) throw notFound(call.revision, uri);
  const { resource, variables } = found;
  refuseLackingScopes(resource, call);
  const run = () => resource.definition.read(variables, call);
  const encode = (value: ResourceValue) => encodeValue(call, resource, value);
  try {
    call.uri = uri;
    return await runHandler({ name: 'resources/read', run, encode }, { runtime, call, params });
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
