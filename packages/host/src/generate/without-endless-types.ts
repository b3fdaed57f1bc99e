import { type Definition, type Shape, unknown } from './shape.ts';

/**
 * Maximum number of combinations in an intersection of unions: the compiler computes each of them, and
 * refuses more than 100,000.
 */
const maxCombinations = 1_000;

type Definitions = ReadonlyMap<string, Definition>;

/**
 * The definitions without what the compiler refuses: a type that is a part of itself (`type A = A | B`)
 * becomes `unknown`, and of an intersection with too many combinations, only the first parts are kept.
 */
export function withoutEndlessTypes(definitions: Definitions): Definitions {
  const named = new Map(
    Array.from(definitions, ([name, definition]): [string, Definition] => [
      name,
      leadsTo(name, definition.shape, definitions) ? { ...definition, shape: unknown } : definition,
    ]),
  );
  return new Map(
    Array.from(named, ([name, { shape, note }]) => [name, { shape: narrowed(shape, named), note }]),
  );
}

/** Whether a shape consists of the type `name`, directly or by other types; objects that have it do not. */
function leadsTo(name: string, start: Shape, definitions: Definitions): boolean {
  const seen = new Set<string>();
  const waiting = [start];
  for (let shape = waiting.pop(); shape; shape = waiting.pop()) {
    if (shape.kind === 'union' || shape.kind === 'intersection') waiting.push(...shape.members);
    if (shape.kind !== 'reference' || seen.has(shape.name)) continue;
    if (shape.name === name) return true;
    seen.add(shape.name);
    waiting.push(definitions.get(shape.name)?.shape ?? unknown);
  }
  return false;
}

function narrowed(shape: Shape, definitions: Definitions): Shape {
  const within = (each: Shape) => narrowed(each, definitions);
  switch (shape.kind) {
    case 'array':
      return { ...shape, items: within(shape.items) };
    case 'tuple':
      return { ...shape, items: shape.items.map(within), rest: shape.rest && within(shape.rest) };
    case 'object':
      return {
        ...shape,
        properties: shape.properties.map((each) => ({ ...each, shape: within(each.shape) })),
        rest: shape.rest && within(shape.rest),
      };
    case 'union':
      return { ...shape, members: shape.members.map(within) };
    case 'intersection': {
      let combinations = 1;
      const members = shape.members.map(within).filter((each) => {
        const all = combinations * breadthOf(each, definitions);
        if (all <= maxCombinations) combinations = all;
        return all <= maxCombinations;
      });
      return members.length === 0 ? unknown : { ...shape, members };
    }
    default:
      return shape;
  }
}

/** How many alternatives a shape has. References lead to no cycle, because such definitions are `unknown`. */
function breadthOf(shape: Shape, definitions: Definitions, known = new Map<string, number>()): number {
  switch (shape.kind) {
    case 'union':
      return shape.members.reduce((sum, each) => sum + breadthOf(each, definitions, known), 0);
    case 'intersection':
      return shape.members.reduce((product, each) => product * breadthOf(each, definitions, known), 1);
    case 'reference': {
      const breadth =
        known.get(shape.name) ?? breadthOf(definitions.get(shape.name)?.shape ?? unknown, definitions, known);
      known.set(shape.name, breadth);
      return breadth;
    }
    default:
      return 1;
  }
}
