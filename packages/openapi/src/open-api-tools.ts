import { closestNames, messageOf, oneLine, quoted } from '@mcp/kit';
import type { Caller, Tool } from '@mcp/protocol';
import { OpenApiDocument } from './document/open-api-document.ts';
import { operationsOf } from './document/operations.ts';
import { selectOperations } from './document/select-operations.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { OpenApiOptions } from './options.ts';
import { toolOf } from './tool-of.ts';

const maxTools = 100;
const maxShownPath = 300;

/**
 * Makes tools of chosen operations of an OpenAPI document of version 3.0 or 3.1, as parsed. The arguments of
 * a tool are the parameters and the properties of the body; a result that the document describes as an object
 * is structured content. Throws an `Error` with the place for a document with mistakes, without a selection,
 * for an unknown option, and for a chosen operation that cannot be a tool. No other document is fetched.
 * @see https://spec.openapis.org/oas/v3.1.1.html
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { openApiTools } from '@mcp/openapi';
 *
 * const document = {
 *   openapi: '3.1.0',
 *   info: { title: 'Pets', version: '1' },
 *   paths: {
 *     '/pets/{id}': {
 *       get: {
 *         operationId: 'getPet',
 *         summary: 'Describes a pet.',
 *         parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
 *       },
 *     },
 *   },
 * };
 *
 * export const server = defineServer({
 *   name: 'pets',
 *   version: '1.0.0',
 *   tools: openApiTools(document, { baseUrl: 'https://pets.example/v1', select: { ids: ['getPet'] } }),
 * });
 * ```
 */
export function openApiTools<Context extends object = object, Who = Caller | undefined>(
  document: unknown,
  options: OpenApiOptions<Context, Who>,
): Tool<Context, Who>[] {
  refuseUnknownOptions(options);
  const base = baseOf(options.baseUrl);
  const checked = new OpenApiDocument(document);
  const all = operationsOf(checked);
  refuseUnknownIds(options, new Set(all.map(({ id }) => id)));
  const chosen = selectOperations(all, options.select ?? {}, options.limits?.maxTools ?? maxTools);
  const tools = new Map<string, Tool<Context, Who>>();
  for (const operation of chosen) {
    const which = `the operation ${quoted(operation.id)} (${operation.method} ${oneLine(operation.path, maxShownPath)})`;
    const tool = named(which, () => toolOf(checked, operation, base, options));
    if (tools.has(tool.name)) {
      throw new Error(
        `Another tool has the name "${tool.name}" of ${which}; give it a \`name\` in \`operations\``,
      );
    }
    tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

function named<Result>(which: string, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    throw new Error(`No tool can be made of ${which}: ${messageOf(error)}`, { cause: error });
  }
}

function baseOf(baseUrl: string | URL): string {
  const text = String(baseUrl);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
  if (!isPlain || url.password !== '') {
    throw new Error('Invalid `baseUrl`: expected an http or https URL without a user, a query or a fragment');
  }
  return url.href.replace(/\/+$/, '');
}

function refuseUnknownIds(
  { operations = {} }: Pick<OpenApiOptions, 'operations'>,
  ids: ReadonlySet<string>,
): void {
  for (const id of Object.keys(operations)) {
    if (ids.has(id)) continue;
    const near = closestNames(id, ids, 1).map((each) => `; did you mean ${quoted(each)}?`);
    throw new Error(`\`operations\`: no operation has the id ${quoted(id)}${near.join('')}`);
  }
}
