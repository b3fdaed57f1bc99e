import { exitCodes, HostError } from '../errors.ts';
import type { ListKind } from './lists.ts';

/** Far more than a schema needs, and far less than what JSON and recursive functions can take. */
const maxNesting = 500;

/** Throws a `HostError` that names an item of a list which neither a pin nor a cache could keep: it is nested too deep. */
export function assertShallow(
  server: string,
  kind: ListKind,
  items: readonly { readonly name: string }[],
): void {
  const deep = items.find((item) => isDeeper(item, maxNesting));
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

/** Level by level, so that no nesting is too deep for the check itself. */
function isDeeper(value: object, levels: number): boolean {
  let level: readonly object[] = [value];
  for (let depth = 0; depth <= levels; depth++) {
    level = level
      .flatMap((each): unknown[] => Object.values(each))
      .filter((each): each is object => typeof each === 'object' && each !== null);
    if (level.length === 0) return false;
  }
  return true;
}
