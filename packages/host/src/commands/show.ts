import { exitCodes } from '../errors.ts';
import type { Command } from '../command-line/command.ts';
import { targetFirst } from '../command-line/target.ts';
import { listedTool } from './listed-tool.ts';
import { showServer } from './show-server.ts';

interface Property {
  readonly type?: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
}

export const show: Command = {
  name: 'show',
  usage: '<server | server.tool>',
  help: 'a tool in full, with a call to copy; or what a server says of itself',
  words: ['tool'],
  async run(input) {
    const { positionals, servers, output } = input;
    const [word] = positionals;
    if (word !== undefined && positionals.length === 1 && servers.names.includes(word))
      return showServer(word, input);
    const { server, name } = (await targetFirst(positionals, servers, 'tool')).target;
    const tool = await listedTool({ server, name }, input);
    if (output.json) {
      output.value(tool);
      return exitCodes.ok;
    }
    const { properties = {}, required = [] } = tool.inputSchema as {
      properties?: Record<string, Property>;
      required?: readonly string[];
    };
    output.text(output.styled('bold', `${server}.${name}`));
    if (tool.description !== undefined) output.foreign(tool.description);
    for (const [key, property] of Object.entries(properties)) {
      output.foreign(
        `  ${required.includes(key) ? key : `[${key}]`}: ${typeText(property)}${notes(property)}`,
      );
    }
    const example = required.map((key) => `${key}=${exampleOf(properties[key])}`);
    output.foreign(`\nmcp call ${[`${server}.${name}`, ...example].join(' ')}`);
    return exitCodes.ok;
  },
};

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
