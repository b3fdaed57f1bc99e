import type { ServedExtension } from '../define/extension.ts';
import { internalsOf, type Server } from '../define/server.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import { tasksExtension } from '../revisions/tasks-extension.ts';

/** The capabilities of a server with these extensions, in the form of the newest revision. */
export function capabilitiesOf(server: Server, extensions: readonly ServedExtension<object>[]): JsonObject {
  const { definition, ...lists } = server;
  const { live, deferred, proxy } = internalsOf(server);
  if (proxy) return everything;
  const tools = [...lists.tools];
  const resources = [...lists.resources];
  const prompts = [...lists.prompts];
  const completes =
    deferred.prompts ||
    prompts.some(({ complete }) => Object.keys(complete).length > 0) ||
    resources.some((resource) => resource.definition.complete);
  const readable = [...resources, ...extensions.flatMap((served) => served.resources)];
  const watches = readable.some((resource) => resource.definition.watch);

  const capabilities: JsonObject = {};
  if (tools.length > 0 || live.tools || deferred.tools)
    capabilities['tools'] = { ...(live.tools && { listChanged: true }) };
  if (readable.length > 0 || live.resources || deferred.resources) {
    capabilities['resources'] = {
      ...(watches && { subscribe: true }),
      ...(live.resources && { listChanged: true }),
    };
  }
  if (prompts.length > 0 || live.prompts || deferred.prompts)
    capabilities['prompts'] = { ...(live.prompts && { listChanged: true }) };
  if (completes) capabilities['completions'] = {};
  if (definition.logging) capabilities['logging'] = {};
  if (extensions.length > 0) {
    const served = extensions.map(({ extension, settings }) => [extension.id, settings] as const);
    capabilities['extensions'] = Object.fromEntries(served);
  }
  if (definition.experimental) capabilities['experimental'] = definition.experimental;
  return capabilities;
}

/** The capabilities that a proxy can pass on. */
const everything: JsonObject = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
  extensions: { [tasksExtension.id]: {} },
};

/** Whether a server with these capabilities supports the method. Other methods are answered as unknown. */
export function offers(capabilities: JsonObject, method: string): boolean {
  const [name, detail] = behind[method] ?? [];
  if (name === undefined) return true;
  const capability = capabilities[name] as JsonObject | undefined;
  return capability !== undefined && (detail === undefined || capability[detail] !== undefined);
}

const behind: { readonly [method: string]: readonly [capability: string, detail?: string] } = {
  'tools/list': ['tools'],
  'tools/call': ['tools'],
  'resources/list': ['resources'],
  'resources/templates/list': ['resources'],
  'resources/read': ['resources'],
  'resources/subscribe': ['resources', 'subscribe'],
  'resources/unsubscribe': ['resources', 'subscribe'],
  'prompts/list': ['prompts'],
  'prompts/get': ['prompts'],
  'completion/complete': ['completions'],
  'logging/setLevel': ['logging'],
};
