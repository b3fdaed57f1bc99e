import { methods } from './dispatch.ts';

const withoutLists: ReadonlySet<string> = new Set(['ping', 'server/discover', 'logging/setLevel']);

/** Whether requests with this method are answered before any list is loaded. */
export function needsNoLists(method: string): boolean {
  return withoutLists.has(method);
}

const withContext: ReadonlySet<string> = new Set([
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'prompts/get',
  'completion/complete',
]);

/**
 * Whether requests with this method run a handler of the server's author, which gets the context for the
 * client's roots. A method of an extension does.
 */
export function needsContext(method: string): boolean {
  return withContext.has(method) || !methods.has(method);
}
