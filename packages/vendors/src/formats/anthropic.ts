import { isObject } from '@mcp/kit';
import type { JsonSchema } from '../content/json-schema.ts';
import { isImage, mediaOf, mediaPlaceholder, type ResultBlock, textOf } from '../content/result-blocks.ts';
import { inlineReferences, type Report, rewriteSchema } from '../content/rewrite-schema.ts';
import { rootAsObject } from '../content/root-object.ts';
import { objectSchema, withProperties } from '../content/well-formed.ts';
import type { Vendor } from '../vendor.ts';
import { withLegalProperties, withOwnProperties } from './property-names.ts';
import { nameTools } from './tool-names.ts';

/** Keywords that Anthropic refuses in a strict tool; they are dropped with a note. */
const refusedByStrict = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];

/** Maximum number of strict tools in a request. */
const maxStrictTools = 20;

/** The types of images that a tool result may contain. */
const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/**
 * The Messages API of Anthropic. Input schemas are JSON Schema 2020-12, but the root may have no unions, and
 * the names of its properties are restricted.
 * @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview
 */
export const anthropic: Vendor = {
  toTools(tools, { strict = false } = {}) {
    const { names, notes } = nameTools(tools, { allowed: /[a-zA-Z0-9_-]/, maxLength: 64 });
    const all = Array.from(names, ([name, { server, tool }], index) => {
      const report: Report = (path, message) => void notes.push({ server, tool: tool.name, path, message });
      const held = strict && index < maxStrictTools;
      if (strict && !held)
        report('', `Not strict: Anthropic accepts at most ${maxStrictTools} strict tools in a request`);
      const given = objectSchema(tool.inputSchema, report);
      const schema = withLegalProperties(rootAsObject(given, report), report);
      const strictly = held ? strictSchema(schema, report) : undefined;
      const description = tool.description ?? tool.title;
      return {
        name,
        ...(description !== undefined && { description }),
        input_schema: strictly ?? withProperties(schema),
        ...(strictly && { strict: true }),
      };
    });
    return { tools: all, names, notes };
  },

  readCalls(message) {
    return contentOf(message)
      .filter((block) => isObject(block) && block['type'] === 'tool_use')
      .map((block) => {
        const { id, name, input } = block as { [key: string]: unknown };
        if (typeof name !== 'string') throw new Error('A "tool_use" block has no "name"');
        const args = isObject(input)
          ? { args: input }
          : { args: {}, invalid: 'The input is not a JSON object' };
        return { id: typeof id === 'string' ? id : undefined, name, ...args };
      });
  },

  restoreArguments(args, schema) {
    return withOwnProperties(
      args,
      rootAsObject(schema, () => {}),
    );
  },

  toResults(outcomes) {
    if (outcomes.length === 0) return [];
    const content = outcomes.map(({ call, content: blocks, isError }) => ({
      type: 'tool_result',
      tool_use_id: call.id ?? '',
      content: blocks.map(resultBlock),
      ...(isError && { is_error: true }),
    }));
    return [{ role: 'user', content }];
  },
};

function contentOf(message: unknown): readonly unknown[] {
  if (Array.isArray(message)) return message;
  if (isObject(message)) {
    if (Array.isArray(message['content'])) return message['content'];
    if (message['role'] === 'assistant') return [];
    if (message['type'] === 'tool_use') return [message];
  }
  throw new Error('Expected an assistant message with "content", or its content blocks');
}

/**
 * The schema, rewritten into the subset that strict mode accepts; undefined if the subset cannot express the
 * schema.
 */
function strictSchema(schema: JsonSchema, report: Report): JsonSchema | undefined {
  let expressible = true;
  const impossible = (path: string, message: string) => {
    expressible = false;
    report(path, message);
  };
  inlineReferences(schema, (path) => impossible(path, 'Not strict: the reference is recursive'));
  const strict = rewriteSchema(
    schema,
    (each, path) => {
      const kept = Object.fromEntries(
        Object.entries(each).filter(([key, value]) => {
          const refused = refusedByStrict.includes(key) || (key === 'minItems' && Number(value) > 1);
          if (refused) report(path, `Dropped "${key}": strict mode refuses it`);
          return !refused;
        }),
      );
      if (kept['type'] !== 'object' && kept['properties'] === undefined) return kept;
      if (allowsUnknownNames(kept))
        impossible(path, 'Not strict: the object allows properties that the schema does not list');
      return { ...kept, additionalProperties: false };
    },
    report,
  );
  return expressible ? strict : undefined;
}

/** Whether an object is meant to have properties with any names, which strict mode would forbid. */
function allowsUnknownNames({ properties, additionalProperties }: JsonSchema): boolean {
  const isEmpty = !isObject(properties) || Object.keys(properties).length === 0;
  return (
    isObject(additionalProperties) || (additionalProperties !== false && isEmpty && !isObject(properties))
  );
}

function resultBlock(block: ResultBlock): object {
  const media = mediaOf(block);
  if (!media) return { type: 'text', text: textOf(block) };
  const source = { type: 'base64', media_type: media.mimeType, data: media.data };
  if (isImage(media) && imageTypes.includes(media.mimeType)) return { type: 'image', source };
  if (media.mimeType === 'application/pdf') return { type: 'document', source };
  return { type: 'text', text: mediaPlaceholder(media) };
}
