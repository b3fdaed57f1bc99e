import { camelCase, objectKey, quotedText } from './names.ts';
import { type Definition, type ObjectShape, type Shape, unknown } from './shape.ts';

/** The name of the schema of a type: `echoArguments` for `EchoArguments`. */
export const zodName = camelCase;

/** The schemas of types as code for zod, each as a constant. */
export function printZodDefinitions(definitions: ReadonlyMap<string, Definition>): readonly string[] {
  return Array.from(
    definitions,
    ([name, { shape }]) => `export const ${zodName(name)}: z.ZodType<${name}> = ${printZod(shape)};`,
  );
}

/** Deeper parts are `z.any()`: the compiler refuses schemas that are nested much deeper. */
const maxDepth = 12;

/** A shape as code for zod. */
function printZod(shape: Shape, depth = 0): string {
  if (depth > maxDepth) return 'z.any()';
  const print = (each: Shape) => printZod(each, depth + 1);
  switch (shape.kind) {
    case 'literal':
      return shape.value === null ? 'z.null()' : `z.literal(${literalText(shape.value)})`;
    case 'integer':
      // `z.int()` refuses integers above 2^53, such as a time in nanoseconds.
      return 'z.number().multipleOf(1)';
    case 'array':
      return `z.array(${print(shape.items)})`;
    case 'tuple': {
      const items = shape.items.map((each, index) =>
        index < shape.minItems ? print(each) : `${print(each)}.exactOptional()`,
      );
      return `z.tuple([${items.join(', ')}]${shape.rest ? `, ${print(shape.rest)}` : ''})`;
    }
    case 'object':
      return printObject(shape, depth);
    case 'union': {
      const values = shape.members.flatMap((member) => (member.kind === 'literal' ? [member.value] : []));
      return values.length === shape.members.length
        ? `z.literal([${values.map(literalText).join(', ')}])`
        : `z.union([${shape.members.map(print).join(', ')}])`;
    }
    case 'intersection':
      return shape.members.map(print).reduce((all, next) => `${all}.and(${next})`);
    case 'reference':
      return `z.lazy(() => ${zodName(shape.name)})`;
    default:
      return `z.${shape.kind}()`;
  }
}

/** An object that keeps the properties that its schema does not name, unless the schema refuses them. */
function printObject({ properties, rest = unknown }: ObjectShape, depth: number): string {
  if (properties.length === 0 && rest.kind !== 'never')
    return `z.record(z.string(), ${printZod(rest, depth + 1)})`;
  const indent = '  '.repeat(depth);
  const lines = properties.map(({ name, shape, isOptional }) => {
    const value = printZod(shape, depth + 1);
    return `${indent}  ${objectKey(name)}: ${value}${isOptional ? '.exactOptional()' : ''},`;
  });
  const name = rest.kind === 'never' ? 'strictObject' : 'looseObject';
  return lines.length === 0 ? `z.${name}({})` : `z.${name}({\n${lines.join('\n')}\n${indent}})`;
}

function literalText(value: string | number | boolean | null): string {
  return typeof value === 'string' ? quotedText(value) : JSON.stringify(value);
}
