import { byType, either, fields, flag, listOf, number, object, oneOf, type Shape, text } from './shape.ts';

// Each shape accepts the values of every revision. Source: schema/<revision>/schema.ts of the specification.

export const role = oneOf('user', 'assistant');
const icon = fields({
  src: text,
  'mimeType?': text,
  'sizes?': listOf(text),
  'theme?': oneOf('light', 'dark'),
});
const annotations = fields({ 'audience?': listOf(role), 'priority?': number, 'lastModified?': text });
const named = {
  name: text,
  'title?': text,
  'description?': text,
  'icons?': listOf(icon),
  '_meta?': object,
};

const contents = either(
  fields({ uri: text, 'mimeType?': text, '_meta?': object, text }),
  fields({ uri: text, 'mimeType?': text, '_meta?': object, blob: text }),
);

const resource = fields({
  ...named,
  uri: text,
  'mimeType?': text,
  'size?': number,
  'annotations?': annotations,
});

const extras = { 'annotations?': annotations, '_meta?': object };
const media = fields({ data: text, mimeType: text, ...extras });
const simple = { text: fields({ text, ...extras }), image: media, audio: media };
const content = byType({
  ...simple,
  resource: fields({ resource: contents, ...extras }),
  resource_link: resource,
});

/** One block of content in a sampling message. */
export const samplingContent = byType({
  ...simple,
  tool_use: fields({ id: text, name: text, input: object }),
  tool_result: fields({
    toolUseId: text,
    content: listOf(content),
    'isError?': flag,
  }),
});

const tool = fields({
  ...named,
  inputSchema: object,
  'outputSchema?': object,
  'annotations?': object,
});

const prompt = fields({
  ...named,
  'arguments?': listOf(fields({ name: text, 'title?': text, 'description?': text, 'required?': flag })),
});

const template = fields({ ...named, uriTemplate: text, 'mimeType?': text, 'annotations?': annotations });

/** Results of tools. `content` may be missing: many servers omit it with structured content. */
const toolResult = fields({ 'content?': listOf(content), 'isError?': flag, '_meta?': object });

/** The version may be missing, because older servers omit it. */
export const implementation = fields({ ...named, 'version?': text, 'websiteUrl?': text });

/** The shapes of results, by the method. */
export const resultShapes: { readonly [method: string]: Shape } = {
  'server/discover': fields({
    'supportedVersions?': listOf(text),
    capabilities: object,
    'instructions?': text,
    '_meta?': object,
  }),
  initialize: fields({
    protocolVersion: text,
    capabilities: object,
    'instructions?': text,
  }),
  'tools/list': fields({ tools: listOf(tool) }),
  'resources/list': fields({ resources: listOf(resource) }),
  'resources/templates/list': fields({ resourceTemplates: listOf(template) }),
  'prompts/list': fields({ prompts: listOf(prompt) }),
  'tools/call': toolResult,
  'resources/read': fields({
    contents: listOf(contents),
    'ttlMs?': number,
    'cacheScope?': oneOf('public', 'private'),
    '_meta?': object,
  }),
  'prompts/get': fields({
    'description?': text,
    messages: listOf(fields({ role, content })),
    '_meta?': object,
  }),
  'completion/complete': fields({
    completion: fields({ values: listOf(text), 'total?': number, 'hasMore?': flag }),
  }),
  'tasks/get': fields({
    taskId: text,
    status: oneOf('working', 'input_required', 'completed', 'failed', 'cancelled'),
    'statusMessage?': text,
    'pollIntervalMs?': number,
    'inputRequests?': object,
    'result?': object,
    'error?': fields({ code: number, message: text }),
  }),
};
