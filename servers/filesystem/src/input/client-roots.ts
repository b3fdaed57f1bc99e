import { type Call, inputRequired, listRoots, type Prompt, type Resource, type Tool } from '@mcp/protocol';
import type { Filesystem } from '../context.ts';

/**
 * Runs a handler in the roots of its client, where the operator has named no directory. Up to 2025-11-25 the connection
 * knows the roots; later, each call requests them, because calls share no state.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
function inClientRoots(
  context: Filesystem,
  { inputs, clientCapabilities }: Call,
  run: (context: Filesystem) => unknown,
): unknown {
  const { sandbox } = context;
  if (sandbox.directories.length > 0 || !clientCapabilities['roots']) return run(context);
  const answer = inputs['roots'];
  return answer && 'roots' in answer
    ? runWithin(answer.roots, sandbox, run)
    : inputRequired({ roots: listRoots() });
}

async function runWithin(
  roots: readonly { readonly uri: string }[],
  whole: Filesystem['sandbox'],
  run: (context: Filesystem) => unknown,
): Promise<unknown> {
  using sandbox = await whole.within(roots.map(({ uri }) => uri));
  return await run({ sandbox });
}

/** The same tools and prompts, run in the roots of the client. */
export function runInClientRoots<Runs extends Tool<Filesystem> | Prompt<Filesystem>>(
  definitions: readonly Runs[],
): Runs[] {
  return definitions.map((definition) => {
    const run = (args: unknown, context: Filesystem, call: Call) =>
      inClientRoots(context, call, (narrowed) => definition.run(args, narrowed, call));
    return Object.create(definition, { run: { value: run } }) as Runs;
  });
}

/** The same resources, read in the roots of the client. */
export function readInClientRoots(resources: readonly Resource<Filesystem>[]): Resource<Filesystem>[] {
  return resources.map(({ definition, ...resource }) => ({
    ...resource,
    definition: {
      ...definition,
      read: (variables, context, call) =>
        inClientRoots(context, call, (narrowed) => definition.read(variables, narrowed, call)),
    },
  }));
}
