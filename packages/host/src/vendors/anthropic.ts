import { isImage, mediaOf, mediaPlaceholder, textOf } from './result-blocks.ts';
import { rewriteSchema } from './rewrite-schema.ts';
import { nameTools } from './tool-names.ts';
import { isObject, type Note, type ResultBlock, type Schema, type Vendor } from './vendor.ts';

/** Keywords that a strict tool may not have, dropped with a note. */
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

/** A request may have so many strict tools. */
const maxStrictTools = 20;

/** Images that a tool result may hold. */
const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** Anthropic's Messages. Input schemas are JSON Schema 2020-12 and pass unchanged, but for strict tools. */
export const anthropic: Vendor = {
  toTools(tools, { strict = false }) {
    const { names, notes } = nameTools(tools, { allowed: /[a-zA-Z0-9_-]/, maxLength: 64 });
    const all = Array.from(names, ([name, { server, tool }], index) => {
      const own: Note[] = [];
      const report = (path: string, message: string) =>
        void own.push({ server, tool: tool.name, path, message });
      const held = strict && index < maxStrictTools;
      if (strict && !held)
        report('', `Not strict: Anthropic takes ${maxStrictTools} strict tools in a request`);
      const schema = rootAsObject(tool.inputSchema, report);
      const description = tool.description ?? tool.title;
      const described = {
        name,
        ...(description !== undefined && { description }),
        input_schema: held ? strictSchema(schema, report) : schema,
        ...(held && { strict: true }),
      };
      notes.push(...own);
      return described;
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

/** Anthropic refuses a union at the root: its alternatives become one object that allows what any of them allows. */
function rootAsObject(schema: Schema, report: (path: string, message: string) => void): Schema {
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const union = [anyOf, oneOf, allOf].find(Array.isArray);
  if (!union) return schema;
  report('', 'Replaced a union at the root by one object with the properties of all alternatives');
  const members = union.filter(isObject).map(({ properties }) => (isObject(properties) ? properties : {}));
  const own = isObject(rest['properties']) ? rest['properties'] : {};
  return { ...rest, type: 'object', properties: Object.assign({}, own, ...members) };
}

function strictSchema(schema: Schema, report: (path: string, message: string) => void): Schema {
  return rewriteSchema(
    schema,
    (each, path) => {
      const kept = Object.fromEntries(
        Object.entries(each).filter(([key, value]) => {
          const refused = refusedByStrict.includes(key) || (key === 'minItems' && Number(value) > 1);
          if (refused) report(path, `Dropped "${key}": strict mode refuses it`);
          return !refused;
        }),
      );
      return kept['type'] === 'object' || kept['properties'] !== undefined
        ? { ...kept, additionalProperties: false }
        : kept;
    },
    report,
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
