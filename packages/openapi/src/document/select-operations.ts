import { closestNames, quoted } from '@mcp/kit';
import type { FoundOperation, Operation } from './operations.ts';

/** Which operations become tools: those with one of the tags or ids, less those that `where` refuses. */
export interface Selection {
  /** Tags of the document. */
  readonly tags?: readonly string[];
  /** Each an `operationId`; for an operation without one, its method and path: `GET /pets/{id}`. */
  readonly ids?: readonly string[];
  /** Whether to take an operation. Without `tags` and `ids`, it gets every operation of the document. */
  readonly where?: (operation: Operation) => boolean;
}

const maxTags = 50;
const maxIds = 100;

/** The chosen operations, in the order of the document. Throws an `Error` if there are none, or too many. */
export function selectOperations(
  operations: readonly FoundOperation[],
  { tags, ids, where }: Selection,
  maxTools: number,
): FoundOperation[] {
  if (!tags && !ids && !where) throw new Error(`No operation is selected. ${contents(operations)}`);
  const [wantedTags, wantedIds] = [new Set(tags), new Set(ids)];
  refuseUnknown('tag', wantedTags, new Set(operations.flatMap((each) => each.tags)));
  refuseUnknown('id', wantedIds, new Set(operations.map(({ id }) => id)));
  const isNamed = (each: FoundOperation) =>
    (!tags && !ids) || wantedIds.has(each.id) || each.tags.some((tag) => wantedTags.has(tag));
  const chosen = operations.filter((each) => isNamed(each) && (where?.(each) ?? true));
  if (chosen.length === 0) throw new Error(`\`select\` matches no operation. ${contents(operations)}`);
  if (chosen.length > maxTools) {
    throw new Error(
      `\`select\` matches ${chosen.length} operations, more than \`limits.maxTools\`: ${maxTools}; choose fewer, ` +
        'because a model that reads many tools chooses worse',
    );
  }
  return chosen;
}

function refuseUnknown(kind: 'tag' | 'id', wanted: ReadonlySet<string>, known: ReadonlySet<string>): void {
  for (const name of wanted) {
    if (known.has(name)) continue;
    const near = closestNames(name, known).map((each) => quoted(each));
    const advice = near.length === 0 ? '' : `; did you mean ${near.join(', ')}?`;
    throw new Error(`\`select.${kind}s\`: no operation has the ${kind} ${quoted(name)}${advice}`);
  }
}

/** The tags of the document with their counts, and the ids of its operations, cut. */
function contents(operations: readonly FoundOperation[]): string {
  const counts = new Map<string, number>();
  for (const tag of operations.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const tags = Array.from(counts, ([tag, count]) => `${quoted(tag, 100)} (${count})`);
  const ids = operations.map(({ id }) => quoted(id, 100));
  return `The document has ${operations.length} operations. Tags: ${cut(tags, maxTags)}. Ids: ${cut(ids, maxIds)}`;
}

function cut(names: readonly string[], max: number): string {
  if (names.length === 0) return 'none';
  const shown = names.slice(0, max).join(', ');
  return names.length > max ? `${shown} and ${names.length - max} more` : shown;
}
