import { isObject } from '@mcp/kit';
import type { JsonSchema } from '../content/json-schema.ts';
import { isImage, mediaOf, textOfAll } from '../content/result-blocks.ts';
import { inlineReferences, type Report, rewriteSchema } from '../content/rewrite-schema.ts';
import { rootAsObject } from '../content/root-object.ts';
import { objectSchema } from '../content/well-formed.ts';
import type { Vendor } from '../vendor.ts';
import { nameTools } from './tool-names.ts';

/** The keywords that Gemini accepts in `parametersJsonSchema`, according to its documentation. */
const kept = [
  'type',
  'format',
  'title',
  'description',
  'enum',
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'anyOf',
  'properties',
  'additionalProperties',
  'required',
  'propertyOrdering',
];

/** Keywords that can be dropped without a note, because they do not affect which values are valid. */
const harmless = ['$schema', '$id', '$comment', 'examples', 'deprecated', 'readOnly', 'writeOnly'];

/**
 * The function calling of Gemini.
 * @see https://ai.google.dev/gemini-api/docs/function-calling
 */
export const gemini: Vendor = {
  toTools(tools, { strict = false } = {}) {
    const { names, notes } = nameTools(tools, {
      allowed: /[a-zA-Z0-9_-]/,
      first: /[a-zA-Z_]/,
      maxLength: 64,
    });
    const functionDeclarations = Array.from(names, ([name, { server, tool }]) => {
      const report: Report = (path, message) => void notes.push({ server, tool: tool.name, path, message });
      if (strict) report('', 'Not strict: Gemini has no strict mode for a single function');
      const description = tool.description ?? tool.title;
      return {
        name,
        ...(description !== undefined && { description }),
        parametersJsonSchema: geminiSchema(objectSchema(tool.inputSchema, report), report),
      };
    });
    // Gemini refuses an empty list of declarations.
    return { tools: functionDeclarations.length === 0 ? [] : [{ functionDeclarations }], names, notes };
  },

  readCalls(message) {
    return partsOf(message)
      .flatMap((part) => (isObject(part) && isObject(part['functionCall']) ? [part['functionCall']] : []))
      .map(({ id, name, args = {} }) => {
        if (typeof name !== 'string') throw new Error('A "functionCall" has no "name"');
        return {
          id: typeof id === 'string' ? id : undefined,
          name,
          ...(isObject(args) ? { args } : { args: {}, invalid: 'The args are not a JSON object' }),
        };
      });
  },

  restoreArguments: (args) => args,

  toResults(outcomes) {
    if (outcomes.length === 0) return [];
    const parts = outcomes.map(({ call, content, isError }) => {
      const images = content.map(mediaOf).filter((media) => media !== undefined && isImage(media));
      const text = textOfAll(content);
      return {
        functionResponse: {
          ...(call.id !== undefined && { id: call.id }),
          name: call.name,
          response: isError ? { error: text } : { output: text },
          ...(images.length > 0 && {
            parts: images.map((media) => ({ inlineData: { mimeType: media!.mimeType, data: media!.data } })),
          }),
        },
      };
    });
    return [{ role: 'user', parts }];
  },
};

/** The parts of a message, which may be a content, a candidate, or a whole response. */
function partsOf(message: unknown): readonly unknown[] {
  if (Array.isArray(message)) return message;
  if (isObject(message)) {
    const { parts, content, candidates } = message;
    if (Array.isArray(parts)) return parts;
    if (content !== undefined) return partsOf(content);
    if (Array.isArray(candidates)) return candidates.flatMap((each) => partsOf(each));
    if (message['functionCall'] !== undefined) return [message];
    if (message['role'] === 'model') return [];
  }
  throw new Error('Expected a content with "parts", or a response with "candidates"');
}

/** Those names in `required` that are also in `properties`: Gemini refuses all others. */
function defined(required: readonly unknown[], properties: object, path: string, report: Report): unknown[] {
  return required.filter((name) => {
    const isDefined = Object.hasOwn(properties, String(name));
    if (!isDefined)
      report(path, `Dropped "${String(name)}" of "required": there is no property of this name`);
    return isDefined;
  });
}

function geminiSchema(schema: JsonSchema, report: Report): JsonSchema {
  return rewriteSchema(
    inlineReferences(rootAsObject(schema, report, ['allOf']), report),
    (each, path) => {
      const { const: constant, oneOf, ...rest } = each;
      const renamed: { [key: string]: unknown } = { ...rest };
      if (constant !== undefined) renamed['enum'] = [constant];
      if (Array.isArray(oneOf)) renamed['anyOf'] = oneOf;
      const known = isObject(renamed['properties']) ? renamed['properties'] : {};
      if (Array.isArray(renamed['required']))
        renamed['required'] = defined(renamed['required'], known, path, report);
      const lost = Object.keys(renamed).filter((key) => !kept.includes(key));
      const taken = Object.entries(renamed).filter(([key]) => kept.includes(key));
      const bounds = lost.filter((key) => !harmless.includes(key));
      for (const key of bounds) report(path, `Moved "${key}" into the description: Gemini does not take it`);
      if (bounds.length === 0) return Object.fromEntries(taken);
      const inWords = bounds.map((key) => `${key}: ${JSON.stringify(renamed[key])}`).join(', ');
      const { description } = renamed;
      return {
        ...Object.fromEntries(taken),
        description: typeof description === 'string' ? `${description} (${inWords})` : inWords,
      };
    },
    report,
  );
}
