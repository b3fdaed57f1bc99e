/** Old lines `[oldStart, oldEnd)` became new lines `[newStart, newEnd)`; lines count from 0. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** With more differences, the search for the smallest set of changes takes too much time and memory. */
const maxDifferences = 500;

/** The smallest set of changed lines (Myers 1986); one change if there are more than 500 differences. */
export function diffLines(before: readonly string[], after: readonly string[]): LineChange[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let oldEnd = before.length;
  let newEnd = after.length;
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  if (start === oldEnd && start === newEnd) return [];
  const whole = { oldStart: start, oldEnd, newStart: start, newEnd };
  if (start === oldEnd || start === newEnd) return [whole];

  const path = shortestPath(before.slice(start, oldEnd), after.slice(start, newEnd));
  if (!path) return [whole];
  const changes: LineChange[] = [];
  for (const step of path) {
    const [x, y, removes] = [start + step.x, start + step.y, step.removes];
    const last = changes.at(-1);
    const next = { oldStart: x, oldEnd: x + (removes ? 1 : 0), newStart: y, newEnd: y + (removes ? 0 : 1) };
    if (last?.oldEnd === next.oldStart && last.newEnd === next.newStart) {
      changes[changes.length - 1] = { ...last, oldEnd: next.oldEnd, newEnd: next.newEnd };
    } else {
      changes.push(next);
    }
  }
  return changes;
}

interface Step {
  readonly x: number;
  readonly y: number;
  readonly removes: boolean;
}

function shortestPath(before: readonly string[], after: readonly string[]): Step[] | undefined {
  const limit = Math.min(maxDifferences, before.length + after.length);
  const furthest = new Int32Array(2 * limit + 3);
  const origin = limit + 1;
  const trail: Int32Array[] = [];
  for (let differences = 0; differences <= limit; differences++) {
    trail.push(furthest.slice(origin - differences - 1, origin + differences + 2));
    for (let k = -differences; k <= differences; k += 2) {
      const down =
        k === -differences || (k !== differences && furthest[origin + k - 1]! < furthest[origin + k + 1]!);
      let x = down ? furthest[origin + k + 1]! : furthest[origin + k - 1]! + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++;
      furthest[origin + k] = x;
      if (x >= before.length && x - k >= after.length) return stepsBack(trail, before.length, after.length);
    }
  }
  return undefined;
}

function stepsBack(trail: readonly Int32Array[], width: number, height: number): Step[] {
  const steps: Step[] = [];
  let x = width;
  let y = height;
  for (let differences = trail.length - 1; differences > 0; differences--) {
    const furthest = trail[differences]!;
    const origin = differences + 1;
    const k = x - y;
    const down =
      k === -differences || (k !== differences && furthest[origin + k - 1]! < furthest[origin + k + 1]!);
    const fromK = down ? k + 1 : k - 1;
    x = furthest[origin + fromK]!;
    y = x - fromK;
    steps.push({ x, y, removes: !down });
  }
  return steps.reverse();
}
