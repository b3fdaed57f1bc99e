import { exitCodes, HostError } from '../errors.ts';
import { isTooDeep, maxNesting } from '../nesting.ts';
import type { ListKind } from './lists.ts';

/**
 * Throws a `HostError` that names an item of a list which neither a pin nor a cache could keep:
 * it is nested too deep.
 */
export function assertShallow(
  server: string,
  kind: ListKind,
  items: readonly { readonly name: string }[],
): void {
  const deep = items.find((item) => isTooDeep(item));
  if (!deep) return;
  throw new HostError(
    `${server}: the list of ${titles[kind]} has "${deep.name}", nested deeper than ${maxNesting} levels`,
    { server, phase: 'call', exitCode: exitCodes.unreachable },
  );
}

const titles: Readonly<Record<ListKind, string>> = {
  tools: 'tools',
  resources: 'resources',
  resourceTemplates: 'resource templates',
  prompts: 'prompts',
};
