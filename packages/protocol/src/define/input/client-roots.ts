import type { Call } from '../call.ts';
import { inContext } from '../mount/in-context.ts';
import { listRoots, type RootsResponse } from './input.ts';
import type { Prompt } from '../prompt.ts';
import type { Resource } from '../resource.ts';
import type { Tool } from '../tool.ts';

/** How `runInClientRoots` and `readInClientRoots` use the roots: the directories that the host works in. */
export interface ClientRootsOptions<Context> {
  /**
   * Whether a call with this context must request the roots; false if `contextFor` of the server has made the
   * context for them.
   */
  readonly isNeeded: (context: Context) => boolean;
  /** Calls `run` with the context for these roots, and returns its result. */
  readonly within: (
    roots: RootsResponse['roots'],
    context: Context,
    run: (narrowed: Context) => unknown,
  ) => unknown;
}

/**
 * Returns copies of tools or prompts whose handlers run in the roots of the client. In revisions up to
 * 2025-11-25, `contextFor` makes a context for the roots of each connection. In later revisions each call
 * requests the roots, because calls share no state. A client that declares no roots gets the context of the
 * server.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @example
 * ```ts
 * import { type Call, defineServer, defineTool, runInClientRoots } from '@mcp/protocol';
 * import type { ClientRootsOptions } from '@mcp/protocol';
 * import { connect } from '@mcp/protocol/testing';
 *
 * type Workspace = { readonly roots: readonly string[] };
 *
 * const clientRoots: ClientRootsOptions<Workspace> = {
 *   isNeeded: ({ roots }) => roots.length === 0,
 *   within: (roots, _, run) => run({ roots: roots.map(({ uri }) => uri) }),
 * };
 * const where = defineTool({
 *   name: 'where',
 *   description: 'Names the roots',
 *   run: (_, { context: { roots } }: Call<Workspace>) => roots.join(' '),
 * });
 *
 * const server = defineServer<Workspace>({
 *   name: 'where',
 *   version: '1.0.0',
 *   context: { roots: [] },
 *   tools: runInClientRoots([where], clientRoots),
 * });
 * await using client = await connect(server, { roots: async () => [{ uri: 'file:///home' }] });
 * console.log((await client.callTool('where')).content);
 * ```
 */
export function runInClientRoots<Context, Runs extends Tool<Context> | Prompt<Context>>(
  definitions: readonly Runs[],
  options: ClientRootsOptions<Context>,
): Runs[] {
  return definitions.map((definition) => {
    const run = (args: unknown, call: Call<Context>) =>
      inClientRoots(call, options, (narrowed) => definition.run(args, narrowed));
    return { ...definition, run };
  });
}

/**
 * Returns copies of resources that are read in the roots of the client, as `runInClientRoots` does for tools.
 * @example
 * ```ts
 * import { type Call, defineResource, defineServer, readInClientRoots } from '@mcp/protocol';
 * import type { ClientRootsOptions } from '@mcp/protocol';
 *
 * type Workspace = { readonly roots: readonly string[] };
 *
 * const clientRoots: ClientRootsOptions<Workspace> = {
 *   isNeeded: ({ roots }) => roots.length === 0,
 *   within: (roots, _, run) => run({ roots: roots.map(({ uri }) => uri) }),
 * };
 * const where = defineResource({
 *   uri: 'where:///roots',
 *   name: 'roots',
 *   read: (_, { context: { roots } }: Call<Workspace>) => roots.join('\n'),
 * });
 *
 * export const server = defineServer<Workspace>({
 *   name: 'where',
 *   version: '1.0.0',
 *   context: { roots: [] },
 *   resources: readInClientRoots([where], clientRoots),
 * });
 * ```
 */
export function readInClientRoots<Context>(
  resources: readonly Resource<Context>[],
  options: ClientRootsOptions<Context>,
): Resource<Context>[] {
  return resources.map(({ definition, ...resource }) => ({
    ...resource,
    definition: {
      ...definition,
      read: (variables, call) =>
        inClientRoots(call, options, (narrowed) => definition.read(variables, narrowed)),
    },
  }));
}

function inClientRoots<Context, Given extends Call<Context>>(
  call: Given,
  { isNeeded, within }: ClientRootsOptions<Context>,
  run: (narrowed: Given) => unknown,
): unknown {
  const { context, clientCapabilities } = call;
  if (!isNeeded(context) || !clientCapabilities['roots']) return run(call);
  const runWithin = (narrowed: Context) => run(inContext(call, narrowed));
  return call.ask('client roots', listRoots()).then(({ roots }) => within(roots, context, runWithin));
}
