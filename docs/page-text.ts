import type { Client } from '@mcp/protocol/client';

// Markdown for the pages of the servers.

type Tool = Awaited<ReturnType<Client['listTools']>>[number];
type Prompt = Awaited<ReturnType<Client['listPrompts']>>[number];
type Template = Awaited<ReturnType<Client['listResourceTemplates']>>[number];
type Content = Awaited<ReturnType<Client['callTool']>>['content'];

/** The members of an argument's JSON Schema that a table of arguments shows. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** The maximum number of lines of an answer that are shown. */
const maxLines = 24;

export function toolText(tool: Tool, example: string | undefined): string {
  const { properties = {}, required = [] } = tool.inputSchema as ObjectSchema;
  const rows = Object.entries(properties).map(([name, schema]) =>
    row(
      `\`${name}\``,
      typeOf(schema),
      required.includes(name) ? 'yes' : defaultOf(schema),
      schema.description ?? '',
    ),
  );
  return [
    `### ${tool.name}\n`,
    `${plain(tool.description ?? '')}\n`,
    `${effectOf(tool)}\n`,
    rows.length === 0
      ? 'It has no arguments.\n'
      : ['| argument | type | required | meaning |', '| --- | --- | --- | --- |', ...rows, ''].join('\n'),
    example ?? '',
  ].join('\n');
}

/** Returns a call's arguments and its answer as Markdown. */
export function callText(args: unknown, content: Content): string {
  const answer = content
    .map((part) =>
      part.type === 'text' ? part.text : `(${part.type}${'mimeType' in part ? `: ${part.mimeType}` : ''})`,
    )
    .join('\n');
  const lines = answer.trimEnd().split('\n');
  const shown = lines.length > maxLines ? [...lines.slice(0, maxLines), '…'] : lines;
  return `Example:\n\n${fenced('json', JSON.stringify(args, null, 1).replaceAll(/\n */g, ' '))}\n${fenced('text', shown.join('\n'))}`;
}

export function resourceText(templates: readonly Template[]): string {
  const rows = templates.map(({ uriTemplate, description, mimeType }) =>
    row(`\`${uriTemplate}\``, mimeType ?? '', description ?? ''),
  );
  return ['| address | type | content |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

export function promptText({ name, description, arguments: args = [] }: Prompt): string {
  const rows = args.map((each) =>
    row(`\`${each.name}\``, each.required ? 'yes' : 'no', each.description ?? ''),
  );
  return [
    `### ${name}\n`,
    `${plain(description ?? '')}\n`,
    ...(rows.length === 0 ? [] : ['| argument | required | meaning |', '| --- | --- | --- |', ...rows, '']),
  ].join('\n');
}

function effectOf({ annotations = {} }: Tool): string {
  if (annotations.readOnlyHint) return '*It changes nothing.*';
  return annotations.destructiveHint === false
    ? '*It adds, and replaces nothing.*'
    : '*It can change or remove what is there.*';
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(', ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  const type = [schema.type ?? 'any'].flat().join(' or ');
  if (type === 'array') {
    const items = schema.items ? typeOf(schema.items) : 'anything';
    return `array of ${items.includes(' or ') ? `(${items})` : items}`;
  }
  const { minimum, maximum } = schema;
  const hasBounds = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return hasBounds ? `${type}, ${minimum} to ${maximum}` : type;
}

function defaultOf(schema: Schema): string {
  return schema.default === undefined ? 'no' : `no; default \`${JSON.stringify(schema.default)}\``;
}

function row(...cells: readonly string[]): string {
  return `| ${cells
    .map((cell) =>
      plain(cell)
        .replaceAll('|', String.raw`\|`)
        .replaceAll('\n', ' '),
    )
    .join(' | ')} |`;
}

/** Escapes the syntax of Markdown and of Vue templates, but not in code between backticks. */
function plain(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : escaped(part)))
    .join('');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('{', '&#123;')
    .replaceAll(/[*_[\]]/g, String.raw`\$&`);
}

function fenced(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${fence}${language}\n${text}\n${fence}\n`;
}
