import {
  blobResourceContents,
  type ListedResource,
  type ResourceContents,
  textResourceContents,
} from '../../define/content.ts';
import { type Resource, ResourceNotFound, type ResourceValue } from '../../define/resource.ts';
import type { UriValues } from '../../define/uri-template.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { encodeContents, encodeResource, encodeTemplate } from '../../revisions/encode.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { Invocation } from './invocation.ts';
import { pageOf } from './pagination.ts';
import { notFound, uriParam } from '../call/params.ts';
import { noCache, complete, type Result, cachePublic } from '../call/result.ts';
import type { Runtime } from '../runtime.ts';

export async function listResources(
  runtime: Runtime,
  call: ActiveCall,
  { cursor }: JsonObject,
): Promise<Result> {
  const listed: ListedResource[] = [];
  for (const { uri, template, definition } of runtime.resources) {
    if (!template) {
      listed.push({ ...definition, uri });
    } else if (definition.list) {
      for await (const resource of await definition.list(call)) listed.push(resource);
    }
  }
  const { items, nextCursor } = pageOf('resources', listed, ({ uri }) => uri, cursor, runtime.pageSize);
  const resources = items.map((resource) => encodeResource(call.revision, resource));
  return complete({ resources, ...(nextCursor !== undefined && { nextCursor }) }, noCache);
}

export function listTemplates(runtime: Runtime, { revision }: ActiveCall, { cursor }: JsonObject): Result {
  const { items, nextCursor } = pageOf(
    'templates',
    runtime.templates,
    ({ uri }) => uri,
    cursor,
    runtime.pageSize,
  );
  const resourceTemplates = items.map((template) => encodeTemplate(revision, template));
  return complete({ resourceTemplates, ...(nextCursor !== undefined && { nextCursor }) }, cachePublic);
}

export async function readResource(runtime: Runtime, call: ActiveCall, params: JsonObject): Promise<Result> {
  const uri = uriParam(params);
  const found = runtime.resource(uri);
  if (!found) throw notFound(call.revision, uri);
  try {
    call.uri = uri;
    return await new ReadInvocation(runtime, call, params, found.resource, found.variables).answer();
  } catch (error) {
    if (error instanceof ResourceNotFound) throw notFound(call.revision, error.uri, error.message);
    throw error;
  }
}

class ReadInvocation extends Invocation<ResourceValue> {
  readonly #resource: Resource<object>;
  readonly #variables: UriValues;

  constructor(
    runtime: Runtime,
    call: ActiveCall,
    params: JsonObject,
    resource: Resource<object>,
    variables: UriValues,
  ) {
    super(runtime, call, params);
    this.#resource = resource;
    this.#variables = variables;
  }

  get method(): string {
    return 'resources/read';
  }

  run(): unknown {
    return this.#resource.definition.read(this.#variables, this.call);
  }

  encode(value: ResourceValue): Result {
    return encodeValue(this.call, this.#resource, value);
  }
}

function encodeValue(
  { revision, uri }: ActiveCall,
  { definition }: Resource<object>,
  value: ResourceValue,
): Result {
  const { mimeType, cache = noCache } = definition;
  const contents = contentsOf(uri, mimeType, value);
  return complete({ contents: contents.map((part) => encodeContents(revision, part)) }, cache);
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
