import {
  type Call,
  InputRequired,
  inputRequired,
  listRoots,
  type Prompt,
  type Resource,
  type Tool,
} from '@mcp/protocol';
import type { Git } from '../context.ts';

/**
 * Runs a handler in the roots of its client, if the operator has named no repository. Up to 2025-11-25 the
 * connection knows the roots; later, each call requests them, because calls share no state.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
async function inClientRoots(
  context: Git,
  { inputs, clientCapabilities }: Call,
  run: (context: Git) => unknown,
): Promise<unknown> {
  const { repositories } = context;
  if (!repositories.allowed.isEmpty || !clientCapabilities['roots']) return run(context);
  const roots = { roots: listRoots() };
  const answer = inputs['roots'];
  if (!answer || !('roots' in answer)) return inputRequired(roots);
  const result = await run({ repositories: repositories.within(answer.roots.map(({ uri }) => uri)) });
  // The next call brings the answers to its own questions only.
  return result instanceof InputRequired
    ? inputRequired({ ...result.requests, ...roots }, result.state)
    : result;
}

/** The same tools and prompts, run in the roots of the client. */
export function runInClientRoots<Runs extends Tool<Git> | Prompt<Git>>(definitions: readonly Runs[]): Runs[] {
  return definitions.map((definition) => {
    const run = (args: unknown, context: Git, call: Call) =>
      inClientRoots(context, call, (narrowed) => definition.run(args, narrowed, call));
    return Object.create(definition, { run: { value: run } }) as Runs;
  });
}

/** The same resources, read in the roots of the client. */
export function readInClientRoots(resources: readonly Resource<Git>[]): Resource<Git>[] {
  return resources.map(({ definition, ...resource }) => ({
    ...resource,
    definition: {
      ...definition,
      read: (variables, context, call) =>
        inClientRoots(context, call, (narrowed) => definition.read(variables, narrowed, call)),
    },
  }));
}
