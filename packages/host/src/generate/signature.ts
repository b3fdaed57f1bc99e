import type { ListedTool } from '@mcp/protocol/client';
import { propertyKey, uniqueNames } from './names.ts';
import { printDeclaration, printType } from './print-type.ts';
import type { Shape } from './shape.ts';
import { toolTypesOf } from './tool-types.ts';

/** A tool as a method in TypeScript, without the notes of its arguments, and the types that it refers to. */
export function signatureOf(tool: ListedTool): string {
  const [types] = toolTypesOf([tool], uniqueNames());
  const { args, hasRequired, result, definitions } = types!;
  // The types of the method are printed in it, unless they refer to themselves.
  const others = new Map([...definitions].filter(([name]) => name !== args && name !== result));
  const inline = (name: string) => printType(withoutNotes(definitions.get(name)!.shape));
  const given = args === undefined ? '' : `args${hasRequired ? '' : '?'}: ${inline(args)}`;
  const returned = result === undefined ? '' : `: ${inline(result)}`;
  const method = `${propertyKey(tool.name)}(${given})${returned};`;
  const isNamed = (name: string) => new RegExp(`\\b${name}\\b`).test(method);
  const named = [args, result].flatMap((name) => (name !== undefined && isNamed(name) ? [name] : []));
  const declared = [...named.map((name) => [name, definitions.get(name)!] as const), ...others];
  return [method, ...declared.map(([name, each]) => printDeclaration(name, each))].join('\n\n');
}

function withoutNotes(shape: Shape): Shape {
  if (shape.kind !== 'object') return shape;
  return { ...shape, properties: shape.properties.map((each) => ({ ...each, note: '' })) };
}
