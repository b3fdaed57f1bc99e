import type { Caller } from '../define/caller.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import type { Guarded } from './access.ts';
import type { Runtime } from './runtime.ts';

type Find = (
  runtime: Runtime,
  params: JsonObject,
  caller: Caller | undefined,
) => Guarded | undefined | Promise<Guarded | undefined>;

const resource: Find = (runtime, { uri }) => named(uri, (it) => runtime.resource(it)?.resource);
const task: Find = (runtime, { taskId }, caller) =>
  named(taskId, (it) => runtime.tasks?.guard(it, caller?.principal));

/** The methods that use one tool, prompt, resource or task, and how it is found. */
const targets: { readonly [method: string]: Find } = {
  'tools/call': (runtime, { name }) => named(name, (it) => runtime.tool(it)),
  'prompts/get': (runtime, { name }) => named(name, (it) => runtime.prompt(it)),
  'resources/read': resource,
  'resources/subscribe': resource,
  'tasks/get': task,
  'tasks/update': task,
  'tasks/cancel': task,
};

/** How to find what a request of this method uses; undefined if it uses no tool, prompt, resource or task. */
export function targetOf(method: string): Find | undefined {
  return Object.hasOwn(targets, method) ? targets[method] : undefined;
}

function named<Item>(name: unknown, find: (name: string) => Item | undefined): Item | undefined {
  return typeof name === 'string' ? find(name) : undefined;
}
