import { type Call, inputRequired, listRoots, type Prompt, type Resource, type Tool } from '@mcp/protocol';
import type { Filesystem } from '../context.ts';

type Needs = Filesystem & Call;

/**
 * Runs a handler in the directories that its client works in, where the operator has named none. Clients up to
 * 2025-11-25 tell them beforehand; later ones are asked in every call, for no call knows of another.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
function inClientRoots(call: Needs, run: (call: Needs) => unknown): unknown {
  const { sandbox, inputs, clientCapabilities } = call;
  if (sandbox.directories.length > 0 || !clientCapabilities['roots']) return run(call);
  const answer = inputs['roots'];
  return answer && 'roots' in answer
    ? runWithin(answer.roots, call, run)
    : inputRequired({ roots: listRoots() });
}

async function runWithin(
  roots: readonly { readonly uri: string }[],
  call: Needs,
  run: (call: Needs) => unknown,
): Promise<unknown> {
  const { progress, log, inputs, state, clientCapabilities } = call;
  using sandbox = await call.sandbox.within(roots.map(({ uri }) => uri));
  return await run({
    sandbox,
    // Asked for only where it is needed, as of the call itself.
    get signal() {
      return call.signal;
    },
    progress,
    log,
    inputs,
    state,
    asTask: (message) => call.asTask(message),
    clientCapabilities,
  });
}

/** The same tools and prompts, run in the directories that the client works in. */
export function runInClientRoots<Runs extends Tool<Needs> | Prompt<Needs>>(
  definitions: readonly Runs[],
): Runs[] {
  return definitions.map((definition) => {
    const run = (args: unknown, call: Needs) => inClientRoots(call, (needs) => definition.run(args, needs));
    return Object.create(definition, { run: { value: run } }) as Runs;
  });
}

/** The same resources, read in the directories that the client works in. */
export function readInClientRoots(resources: readonly Resource<Needs>[]): Resource<Needs>[] {
  return resources.map(({ definition, ...resource }) => ({
    ...resource,
    definition: {
      ...definition,
      read: (variables, call, uri) => inClientRoots(call, (needs) => definition.read(variables, needs, uri)),
    },
  }));
}
