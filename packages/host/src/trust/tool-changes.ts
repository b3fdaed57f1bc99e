import { groupBy } from '../group-by.ts';
import { canonical } from './fingerprint.ts';

/** The part of a tool that is stored when the user accepts it: texts for the model, schemas, annotations. */
export interface PinnedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
}

export type ToolChange =
  | { readonly kind: 'added'; readonly name: string; readonly now: PinnedTool }
  | { readonly kind: 'removed'; readonly name: string; readonly before: PinnedTool }
  | { readonly kind: 'changed'; readonly name: string; readonly before: PinnedTool; readonly now: PinnedTool }
  /** A tool was removed and another one added, and they differ only in their names. */
  | {
      readonly kind: 'renamed';
      readonly name: string;
      readonly from: string;
      readonly before: PinnedTool;
      readonly now: PinnedTool;
    };

/** Returns the part of a listed tool that is stored when the user accepts the tool. */
export function pinOf({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: PinnedTool): PinnedTool {
  return { name, title, description, inputSchema, outputSchema, annotations };
}

/**
 * The differences between accepted and listed tools, in the order of the list. If a server lists two tools of
 * the same name, and one of them has changed, the tool of this name counts as changed.
 */
export function toolChanges(accepted: readonly PinnedTool[], listed: readonly PinnedTool[]): ToolChange[] {
  const before = groupBy(accepted, ({ name }) => name);
  const now = groupBy(listed.map(pinOf), ({ name }) => name);
  const removed = accepted.filter(({ name }) => !now.has(name));
  const changes: ToolChange[] = [];
  for (const [name, tools] of now) {
    const known = before.get(name);
    if (known) {
      const texts = new Set(known.map((each) => canonical(pinOf(each))));
      const different = tools.find((tool) => !texts.has(canonical(tool)));
      if (different) changes.push({ kind: 'changed', name, before: known[0], now: different });
      continue;
    }
    const [tool] = tools;
    const index = tools.length > 1 ? -1 : removed.findIndex((each) => isSameButName(each, tool));
    if (index === -1) {
      changes.push({ kind: 'added', name, now: tool });
    } else {
      const [original] = removed.splice(index, 1);
      changes.push({ kind: 'renamed', name, from: original!.name, before: original!, now: tool });
    }
  }
  return [
    ...changes,
    ...removed.map((tool): ToolChange => ({ kind: 'removed', name: tool.name, before: tool })),
  ];
}

function isSameButName(a: PinnedTool, b: PinnedTool): boolean {
  return canonical({ ...pinOf(a), name: '' }) === canonical({ ...pinOf(b), name: '' });
}
