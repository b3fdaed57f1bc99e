import { commentLines } from './comment.ts';
import { propertyKey, quotedText } from './names.ts';
import type { Definition, ObjectShape, Shape, TupleShape } from './shape.ts';

const maxWidth = 100;

/** The declaration of a type: an interface for an object, otherwise an alias. */
export function printDeclaration(name: string, { shape, note }: Definition): string {
  const comment = commentLines(note, '');
  const code =
    shape.kind === 'object'
      ? `interface ${name} {\n${members(shape, '').join('\n')}\n}`
      : `type ${name} = ${printType(shape)};`;
  return [...comment, `export ${code}`].join('\n');
}

/**
 * A shape as a type of TypeScript. What is longer than a line, or has comments, is on several lines, of which
 * all but the first begin with `indent`.
 */
export function printType(shape: Shape, indent = ''): string {
  switch (shape.kind) {
    case 'literal':
      return typeof shape.value === 'string' ? quotedText(shape.value) : JSON.stringify(shape.value);
    case 'integer':
      return 'number';
    case 'array':
      return `${grouped(shape.items, indent)}[]`;
    case 'tuple':
      return printTuple(shape, indent);
    case 'object':
      return printObject(shape, indent);
    case 'union':
      return printUnion(shape.members, indent);
    case 'intersection':
      return shape.members.map((each) => grouped(each, indent)).join(' & ');
    case 'reference':
      return shape.name;
    default:
      return shape.kind;
  }
}

/** A type in parentheses, where the operators around it would bind more closely than those in it. */
function grouped(shape: Shape, indent: string): string {
  const text = printType(shape, indent);
  return shape.kind === 'union' || shape.kind === 'intersection' ? `(${text})` : text;
}

function printUnion(shapes: readonly Shape[], indent: string): string {
  const types = shapes.map((each) =>
    each.kind === 'intersection' ? grouped(each, indent) : printType(each, indent),
  );
  const distinct = [...new Set(types)];
  const line = distinct.join(' | ');
  if (line.includes('\n') || indent.length + line.length <= maxWidth) return line;
  return distinct.map((each) => `\n${indent}  | ${each}`).join('');
}

function printTuple({ items, minItems, rest }: TupleShape, indent: string): string {
  const required = items.slice(0, minItems).map((each) => printType(each, indent));
  const optional = items.slice(minItems).map((each) => `${grouped(each, indent)}?`);
  const others = rest ? [`...${grouped(rest, indent)}[]`] : [];
  return `[${[...required, ...optional, ...others].join(', ')}]`;
}

function printObject(shape: ObjectShape, indent: string): string {
  const lines = members(shape, indent);
  const line = `{ ${lines.map((each) => each.trim().replace(/;$/, '')).join('; ')} }`;
  const fits = indent.length + line.length <= maxWidth && !lines.some((each) => each.includes('\n'));
  return fits && !shape.properties.some(({ note }) => note !== '')
    ? line
    : `{\n${lines.join('\n')}\n${indent}}`;
}

/** The members of an object type, each with its comment. */
function members({ properties, rest }: ObjectShape, outer: string): string[] {
  const indent = `${outer}  `;
  const lines = properties.flatMap(({ name, shape, isOptional, note }) => [
    ...commentLines(note, indent),
    `${indent}${propertyKey(name)}${isOptional ? '?' : ''}: ${printType(shape, indent)};`,
  ]);
  const indexed = printIndex(properties.length > 0, rest, indent);
  return indexed === undefined ? lines : [...lines, `${indent}[name: string]: ${indexed};`];
}

/**
 * The type of further properties; undefined if there are none. Beside other properties, it is `unknown`:
 * TypeScript requires that theirs fit it.
 */
function printIndex(hasProperties: boolean, rest: Shape | undefined, indent: string): string | undefined {
  if (!rest || (hasProperties && rest.kind === 'never')) return undefined;
  return hasProperties ? 'unknown' : printType(rest, indent);
}
