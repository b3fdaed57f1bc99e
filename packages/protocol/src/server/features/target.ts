import { isObject } from '@mcp/kit';
import type { Caller } from '../../define/caller.ts';
import type { Resource } from '../../define/resource.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { Guarded } from '../access.ts';
import type { Runtime } from '../runtime.ts';
import { maxUris } from './subscriptions.ts';

type Find = (
  runtime: Runtime,
  params: JsonObject,
  caller: Caller | undefined,
) => Guarded | undefined | Promise<Guarded | undefined>;

const prompt: Find = (runtime, { name }) => named(name, (it) => runtime.prompt(it));
const resource: Find = (runtime, { uri }) => resourceAt(runtime, uri);
/** All resources of a stream of changes together: the request for it is refused if one lacks a scope. */
const listened: Find = (runtime, { notifications }) => {
  const uris = isObject(notifications) ? notifications['resourceSubscriptions'] : undefined;
  if (!Array.isArray(uris)) return undefined;
  const found = uris.slice(0, maxUris).map((uri) => resourceAt(runtime, uri));
  return { definition: { requires: found.flatMap((each) => each?.definition.requires ?? []) } };
};
const task: Find = async ({ tasks }, { taskId }, caller) => {
  if (!tasks || typeof taskId !== 'string') return undefined;
  return { definition: { requires: await tasks.requiredScopes(taskId, caller?.principal) } };
};

/** The methods that use a tool, prompt, resource or task, and how it is found. */
const targets: { readonly [method: string]: Find } = {
  'tools/call': (runtime, { name }) => named(name, (it) => runtime.tool(it)),
  'prompts/get': prompt,
  'resources/read': resource,
  'resources/subscribe': resource,
  'subscriptions/listen': listened,
  'completion/complete': (runtime, { ref }, caller) => {
    if (!isObject(ref)) return undefined;
    if (ref['type'] === 'ref/prompt') return prompt(runtime, ref, caller);
    return named(ref['uri'], (it) => completedResource(runtime, it));
  },
  'tasks/get': task,
  'tasks/update': task,
  'tasks/cancel': task,
};

/** How to find what a request of this method uses; undefined if it uses no tool, prompt, resource or task. */
export function targetOf(method: string): Find | undefined {
  return Object.hasOwn(targets, method) ? targets[method] : undefined;
}

/** The resource that a completion names by its URI, or by the text of its template. */
export function completedResource(runtime: Runtime, uri: string): Resource<object> | undefined {
  return runtime.resources.find((known) => known.uri === uri) ?? runtime.resource(uri)?.resource;
}

function resourceAt(runtime: Runtime, uri: unknown): Resource<object> | undefined {
  return named(uri, (it) => runtime.resource(it)?.resource);
}

function named<Item>(name: unknown, find: (name: string) => Item | undefined): Item | undefined {
  return typeof name === 'string' ? find(name) : undefined;
}
