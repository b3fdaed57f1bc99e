import { oneLine } from '@mcp/kit';
import { type Call, defineTool, type Tool, type ToolAnnotations } from '@mcp/protocol';
import { checkedJsonSchema } from '@mcp/protocol/json-schema';
import type { OpenApiDocument } from './document/open-api-document.ts';
import type { FoundOperation } from './document/operations.ts';
import type { Json } from './document/place.ts';
import type { OpenApiOptions, OperationOptions } from './options.ts';
import { bodyOf } from './plan/body.ts';
import { cutArguments, inputSchemaOf, nameArguments } from './plan/named-arguments.ts';
import { outputSchemaOf } from './plan/output.ts';
import { parametersOf } from './plan/parameters.ts';
import { callApi } from './call-api.ts';
import type { RequestPlan } from './request/build-request.ts';
import { SchemaConverter } from './schemas/schema-converter.ts';

const maxNameLength = 64;
const maxDescription = 1_000;

/** Makes the tool of one operation. Throws an `Error` if it cannot be expressed as a tool. */
export function toolOf<Context extends object, Who>(
  document: OpenApiDocument,
  operation: FoundOperation,
  base: string,
  options: OpenApiOptions<Context, Who>,
): Tool<Context, Who> {
  if (operation.method === 'TRACE') throw new Error('`fetch` cannot send TRACE');
  const own = ownOptions(options.operations, operation.id);
  const { maxSchemaLength = 50_000 } = options.limits ?? {};
  const body = bodyOf(document, operation);
  const named = nameArguments([...parametersOf(document, operation), ...(body?.arguments ?? [])]);
  const listed = cutArguments(named, own);
  const input = inputSchemaOf(listed, new SchemaConverter(document, 'input'), own.descriptions);
  const { length } = JSON.stringify(input);
  if (length > maxSchemaLength) {
    throw new Error(
      `the JSON Schema of its arguments has ${length} characters, more than \`limits.maxSchemaLength\`: ` +
        `${maxSchemaLength}; put the largest into \`omit\``,
    );
  }
  const output = own.structured === false ? undefined : outputSchemaOf(document, operation, maxSchemaLength);
  const outputSchema = output && checkedJsonSchema(output);
  const withheld = new Set(Array.from(named).flatMap(([name, each]) => (listed.has(name) ? [] : [each])));
  const plan: RequestPlan = { operation, base, named, withheld, body };
  const { fixed = {} } = own;
  const title = own.title ?? oneLine(operation.summary, 100);
  return defineTool({
    name: own.name ?? nameOf(operation.id),
    ...(title !== '' && { title }),
    description: own.description ?? descriptionOf(operation),
    annotations: { ...hintsOf(operation.method), ...own.annotations },
    inputSchema: checkedJsonSchema<Json>(input),
    outputSchema,
    ...(own.requires && { requires: own.requires }),
    run: (args: Json, call: Call<Context, Who>) =>
      callApi({ plan, fixed, output: outputSchema }, args, call, options),
  });
}

function ownOptions(operations: OpenApiOptions['operations'], id: string): OperationOptions {
  return operations && Object.hasOwn(operations, id) ? (operations[id] ?? {}) : {};
}

function nameOf(id: string): string {
  return id
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, maxNameLength);
}

function descriptionOf({ summary, description, method, path }: FoundOperation): string {
  const isSame = description.startsWith(summary);
  const text = [isSame ? '' : summary, description].filter((each) => each !== '').join('\n\n') || summary;
  if (text === '') return `${method} ${path}`;
  return text.length > maxDescription ? `${text.slice(0, maxDescription).toWellFormed()}…` : text;
}

/** What the method of a request says of its effect: RFC 9110, section 9.2. */
function hintsOf(method: string): ToolAnnotations {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return { readOnlyHint: true };
  return {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: method === 'PUT' || method === 'DELETE',
  };
}
