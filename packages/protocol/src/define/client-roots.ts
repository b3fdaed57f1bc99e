import type { Call } from './call.ts';
import { InputRequired, inputRequired, listRoots, type RootsResponse } from './input.ts';
import type { Prompt } from './prompt.ts';
import type { Resource } from './resource.ts';
import type { Tool } from './tool.ts';

/** How handlers run in the roots of their client. */
export interface ClientRootsOptions<Context> {
  /**
   * Whether a call with this context requests the roots; false where `contextFor` has already applied them.
   */
  readonly isNeeded: (context: Context) => boolean;
  /** Runs a handler in the context for these roots. */
  readonly within: (
    roots: RootsResponse['roots'],
    context: Context,
    run: (narrowed: Context) => unknown,
  ) => unknown;
}

/**
 * The same tools or prompts, run in the roots of the client. Up to 2025-11-25, the connection
 * knows the roots (`contextFor`); later, each call requests them, because calls share no state.
 * A client that declares no roots gets the context of the server.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @example
 * ```ts
 * import { type ClientRootsOptions, defineServer, defineTool, runInClientRoots } from '@mcp/protocol';
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
 *   run: (_, { roots }: Workspace) => roots.join(' '),
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
    const run = (args: unknown, context: Context, call: Call) =>
      inClientRoots(context, call, options, (narrowed) => definition.run(args, narrowed, call));
    return Object.create(definition, { run: { value: run } }) as Runs;
  });
}

/**
 * The same resources, read in the roots of the client, as `runInClientRoots` runs tools.
 * @example
 * ```ts
 * import { type ClientRootsOptions, defineResource, defineServer, readInClientRoots } from '@mcp/protocol';
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
 *   read: (_, { roots }: Workspace) => roots.join('\n'),
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
      read: (variables, context, call) =>
        inClientRoots(context, call, options, (narrowed) => definition.read(variables, narrowed, call)),
    },
  }));
}

function inClientRoots<Context>(
  context: Context,
  { inputs, clientCapabilities }: Call,
  { isNeeded, within }: ClientRootsOptions<Context>,
  run: (narrowed: Context) => unknown,
): unknown {
  if (!isNeeded(context) || !clientCapabilities['roots']) return run(context);
  const requests = { roots: listRoots() };
  const answer = inputs['roots'];
  if (!answer || !('roots' in answer)) return inputRequired(requests);
  return Promise.resolve(within(answer.roots, context, run)).then((result) =>
    // The next call has the answers to its own requests only.
    result instanceof InputRequired
      ? inputRequired({ ...result.requests, ...requests }, result.state)
      : result,
  );
}
