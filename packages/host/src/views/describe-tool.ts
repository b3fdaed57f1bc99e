import type { Target } from '../command-line/target.ts';
import type { ListedTool } from '@mcp/protocol/client';
import { printedCommand } from '../printed-command.ts';
import type { Output } from '../terminal/output.ts';

interface Property {
  readonly type?: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
}

/** Prints a tool in full: its arguments, its signature in TypeScript, and a call to copy. */
export function describeTool(
  { server, name }: Target,
  tool: ListedTool,
  signature: string,
  output: Output,
): void {
  const { properties = {}, required = [] } = tool.inputSchema as {
    properties?: Record<string, Property>;
    required?: readonly string[];
  };
  output.text(output.styled('bold', `${server}.${name}`));
  if (tool.description !== undefined) output.foreign(tool.description);
  for (const [key, property] of Object.entries(properties)) {
    output.foreign(`  ${required.includes(key) ? key : `[${key}]`}: ${typeText(property)}${notes(property)}`);
  }
  output.foreign(`\n${signature}`);
  const example = required.map((key) => `${key}=${exampleOf(properties[key])}`);
  output.foreign(`\n${printedCommand('call', `${server}.${name}`, ...example)}`);
}

function typeText({ type, enum: values }: Property): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(type)) return type.join(' | ');
  return typeof type === 'string' ? type : 'any';
}

function notes({ description, default: value }: Property): string {
  const parts = [description, value === undefined ? undefined : `default ${JSON.stringify(value)}`];
  const text = parts.filter((each) => each !== undefined).join('; ');
  return text === '' ? '' : `  ${text}`;
}

function exampleOf(property: Property | undefined): string {
  if (property?.enum) return String(property.enum[0]);
  if (property?.type === 'number' || property?.type === 'integer') return '1';
  return property?.type === 'boolean' ? 'true' : '…';
}
