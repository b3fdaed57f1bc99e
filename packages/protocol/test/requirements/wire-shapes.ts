import type { JsonObject } from '../../src/jsonrpc/message.ts';

// The messages that a server may send, by revision, from schema/<revision>/schema.ts of the specification.
// Every object is closed here, so that a member of a newer revision is found where it does not belong.

/** Returns the problems of a value at a revision; none for a valid value. */
export type Check = (value: unknown, version: string, path: string) => string[];

type Member = {
  readonly check: Check;
  readonly required: boolean;
  readonly since: string;
  readonly until: string;
};

const A = '2024-11-05';
const B = '2025-03-26';
const C = '2025-06-18';
const D = '2025-11-25';
const E = '2026-07-28';

const must = (check: Check, since = A, until = E): Member => ({ check, required: true, since, until });
const may = (check: Check, since = A, until = E): Member => ({ check, required: false, since, until });

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function primitive(kind: string, is: (value: unknown) => boolean): Check {
  return (value, _, path) => (is(value) ? [] : [`${path} is not ${kind}: ${JSON.stringify(value)}`]);
}

const text = primitive('a string', (value) => typeof value === 'string');
const number = primitive('a number', (value) => typeof value === 'number');
const flag = primitive('a boolean', (value) => typeof value === 'boolean');
const size = primitive('an integer from 0', (value) => Number.isInteger(value) && (value as number) >= 0);
const id = primitive('an id', (value) => typeof value === 'string' || Number.isInteger(value));
const share = primitive('from 0 to 1', (value) => typeof value === 'number' && value >= 0 && value <= 1);
const date = primitive('a date', (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)));
const base64 = primitive(
  'base64',
  (value) => typeof value === 'string' && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value),
);
const record = primitive('an object', isObject);
const objectSchema = primitive(
  'an object schema',
  (value) =>
    isObject(value) && value['type'] === 'object' && (!value['properties'] || isObject(value['properties'])),
);
const anything: Check = () => [];

const one = (...values: readonly string[]): Check =>
  primitive(`one of ${values.join(', ')}`, (value) => values.includes(value as string));

const list =
  (item: Check, most = Infinity): Check =>
  (value, version, path) => {
    if (!Array.isArray(value)) return [`${path} is not a list`];
    if (value.length > most) return [`${path} has more than ${most} items`];
    return value.flatMap((each, index) => item(each, version, `${path}[${index}]`));
  };

const named =
  (item: Check): Check =>
  (value, version, path) =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, each]) => item(each, version, `${path}.${key}`))
      : [`${path} is not an object`];

/** One check before a revision, and another from then on. */
const from =
  (since: string, later: Check, earlier: Check): Check =>
  (value, version, path) =>
    (version < since ? earlier : later)(value, version, path);

function shape(members: { readonly [name: string]: Member }): Check {
  return (value, version, path) => {
    if (!isObject(value)) return [`${path} is not an object`];
    const known = Object.entries(members).filter(
      ([, { since, until }]) => since <= version && version <= until,
    );
    const names = new Set(known.map(([name]) => name));
    return [
      ...Object.keys(value).flatMap((name) =>
        names.has(name) ? [] : [`${path}.${name} does not belong there`],
      ),
      ...known.flatMap(([name, { check, required }]) => {
        if (value[name] !== undefined) return check(value[name], version, `${path}.${name}`);
        return required ? [`${path}.${name} is missing`] : [];
      }),
    ];
  };
}

/** Objects distinguished by their `type`, each from the first revision that defines it. */
function byType(types: { readonly [type: string]: readonly [since: string, check: Check] }): Check {
  return (value, version, path) => {
    const type = isObject(value) ? String(value['type']) : 'nothing';
    const [since, check] = types[type] ?? [];
    if (!check || version < since!) return [`${path} is of type ${type}`];
    return check(value, version, path);
  };
}

const icon = shape({
  src: must(primitive('an address', (value) => /^(https?|data):/.test(String(value)))),
  mimeType: may(text),
  sizes: may(list(text)),
  theme: may(one('light', 'dark')),
});

const base = { name: must(text), title: may(text, C), icons: may(list(icon), D) };
const describing = { description: may(text), _meta: may(record, C) };

const implementation = shape({
  ...base,
  version: must(text),
  description: may(text, D),
  websiteUrl: may(text, D),
});

const listChanged = { listChanged: may(flag) };

const capabilities = shape({
  experimental: may(named(record)),
  logging: may(record),
  completions: may(record, B),
  prompts: may(shape(listChanged)),
  resources: may(shape({ ...listChanged, subscribe: may(flag) })),
  tools: may(shape(listChanged)),
  tasks: may(record, D, D),
  extensions: may(named(record), E),
});

const annotations = shape({
  audience: may(list(one('user', 'assistant'))),
  priority: may(share),
  lastModified: may(date, C),
});

const extras = { annotations: may(annotations), _meta: may(record, C) };

const tool = shape({
  ...base,
  ...describing,
  inputSchema: must(objectSchema),
  outputSchema: may(from(E, record, objectSchema), C),
  annotations: may(
    shape({
      title: may(text),
      readOnlyHint: may(flag),
      destructiveHint: may(flag),
      idempotentHint: may(flag),
      openWorldHint: may(flag),
    }),
    B,
  ),
  execution: may(shape({ taskSupport: may(one('forbidden', 'optional', 'required')) }), D, D),
});

const resource = { ...base, ...describing, ...extras, uri: must(text), mimeType: may(text), size: may(size) };

const template = shape({ ...base, ...describing, ...extras, uriTemplate: must(text), mimeType: may(text) });

const contents: Check = (value, version, path) => {
  const common = { uri: must(text), mimeType: may(text), _meta: may(record, C) };
  const binary = isObject(value) && 'blob' in value;
  return shape({ ...common, ...(binary ? { blob: must(base64) } : { text: must(text) }) })(
    value,
    version,
    path,
  );
};

const type = must(text);
const media = shape({ ...extras, type, data: must(base64), mimeType: must(text) });

const textual = shape({ ...extras, type, text: must(text) });

const content = byType({
  text: [A, textual],
  image: [A, media],
  audio: [B, media],
  resource: [A, shape({ ...extras, type, resource: must(contents) })],
  resource_link: [C, shape({ ...resource, type })],
});

const prompt = shape({
  ...base,
  ...describing,
  arguments: may(
    list(shape({ name: must(text), title: may(text, C), description: may(text), required: may(flag) })),
  ),
});

const role = one('user', 'assistant');
const message = shape({ role: must(role), content: must(content) });

// Results

const common = { _meta: may(record), resultType: must(one('complete'), E) };
const cached = { ttlMs: must(size, E), cacheScope: must(one('public', 'private'), E) };
const paged = { ...common, ...cached, nextCursor: may(text) };

const inputRequests: Check = (value, version, path) =>
  named((request, _, at) => {
    const { method, ...rest } = request as JsonObject;
    const check = requests[String(method)];
    return check ? check(rest['params'], version, `${at}.params`) : [`${at}.method is ${String(method)}`];
  })(value, version, path);

const asking = shape({
  _meta: may(record),
  resultType: must(one('input_required')),
  inputRequests: may(inputRequests),
  requestState: may(text),
});

const orAsking =
  (complete: Check): Check =>
  (value, version, path) =>
    (version === E && isObject(value) && value['resultType'] === 'input_required' ? asking : complete)(
      value,
      version,
      path,
    );

/** The result of each method. */
export const results: { readonly [method: string]: Check } = {
  initialize: shape({
    _meta: may(record),
    protocolVersion: must(text),
    capabilities: must(capabilities),
    serverInfo: must(implementation),
    instructions: may(text),
  }),
  'server/discover': shape({
    ...common,
    ...cached,
    supportedVersions: must(list(text)),
    capabilities: must(capabilities),
    instructions: may(text),
  }),
  ping: shape({ _meta: may(record) }),
  'logging/setLevel': shape({ _meta: may(record) }),
  'resources/subscribe': shape({ _meta: may(record) }),
  'resources/unsubscribe': shape({ _meta: may(record) }),
  'tools/list': shape({ ...paged, tools: must(list(tool)) }),
  'tools/call': orAsking(
    shape({
      ...common,
      content: must(list(content)),
      structuredContent: may(from(E, anything, record), C),
      isError: may(flag),
    }),
  ),
  'resources/list': shape({ ...paged, resources: must(list(shape(resource))) }),
  'resources/templates/list': shape({ ...paged, resourceTemplates: must(list(template)) }),
  'resources/read': orAsking(shape({ ...common, ...cached, contents: must(list(contents)) })),
  'prompts/list': shape({ ...paged, prompts: must(list(prompt)) }),
  'prompts/get': orAsking(shape({ ...common, description: may(text), messages: must(list(message)) })),
  'completion/complete': shape({
    ...common,
    completion: must(shape({ values: must(list(text, 100)), total: may(size), hasMore: may(flag) })),
  }),
  'subscriptions/listen': shape({
    ...common,
    _meta: must(
      shape({
        'io.modelcontextprotocol/subscriptionId': must(id),
        'io.modelcontextprotocol/serverInfo': may(implementation),
      }),
    ),
  }),
};

// Notifications

const streamed = shape({ 'io.modelcontextprotocol/subscriptionId': must(id) });
const changed = from(E, shape({ _meta: must(streamed) }), shape({ _meta: may(record) }));

/** The parameters of each notification of a server, from the first revision that defines it. */
export const notifications: { readonly [method: string]: Check } = {
  'notifications/progress': shape({
    _meta: may(record),
    progressToken: must(id),
    progress: must(number),
    total: may(number),
    message: may(text, B),
  }),
  'notifications/message': shape({
    _meta: may(record),
    level: must(one('debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency')),
    logger: may(text),
    data: must(anything),
  }),
  'notifications/cancelled': shape({ _meta: may(record), requestId: must(id), reason: may(text) }),
  'notifications/tools/list_changed': changed,
  'notifications/prompts/list_changed': changed,
  'notifications/resources/list_changed': changed,
  'notifications/resources/updated': from(
    E,
    shape({ _meta: must(streamed), uri: must(text) }),
    shape({ _meta: may(record), uri: must(text) }),
  ),
  'notifications/subscriptions/acknowledged': shape({
    _meta: must(streamed, E),
    notifications: must(
      shape({
        toolsListChanged: may(flag),
        promptsListChanged: may(flag),
        resourcesListChanged: may(flag),
        resourceSubscriptions: may(list(text)),
      }),
      E,
    ),
  }),
};

/** Notifications that come without `params`, up to the revision where each belongs to a subscription. */
export const bare = /^notifications\/\w+\/list_changed$/;

// Requests of a server: messages of their own up to 2025-11-25, parts of a result after that

const blocks = byType({
  text: [A, textual],
  image: [A, media],
  audio: [B, media],
  tool_use: [D, shape({ type, id: must(text), name: must(text), input: must(record), _meta: may(record) })],
  tool_result: [
    D,
    shape({
      type,
      toolUseId: must(text),
      content: must(list(content)),
      structuredContent: may(from(E, anything, record)),
      isError: may(flag),
      _meta: may(record),
    }),
  ],
});

const oneOrMore: Check = (value, version, path) =>
  (Array.isArray(value) ? list(blocks) : blocks)(value, version, path);

const about = { type, title: may(text), description: may(text) };
const choices = list(shape({ const: must(text), title: must(text) }));
const strings = list(text);

const stringField: Check = (value, version, path) => {
  const chosen = isObject(value) && ('enum' in value || 'oneOf' in value);
  const preset = may(text, D);
  return shape(
    chosen
      ? { ...about, default: preset, enum: may(strings), enumNames: may(strings), oneOf: may(choices, D) }
      : {
          ...about,
          default: preset,
          minLength: may(size),
          maxLength: may(size),
          format: may(one('email', 'uri', 'date', 'date-time')),
        },
  )(value, version, path);
};

const numberField = shape({ ...about, minimum: may(number), maximum: may(number), default: may(number, D) });

const field = byType({
  string: [C, stringField],
  number: [C, numberField],
  integer: [C, numberField],
  boolean: [C, shape({ ...about, default: may(flag) })],
  array: [
    D,
    shape({
      ...about,
      minItems: may(size),
      maxItems: may(size),
      items: must(shape({ type: may(one('string')), enum: may(strings), anyOf: may(choices) })),
      default: may(strings),
    }),
  ],
});

const form = shape({
  mode: may(one('form'), D),
  message: must(text),
  requestedSchema: must(
    shape({
      $schema: may(text, D),
      type: must(one('object')),
      properties: must(named(field)),
      required: may(strings),
    }),
  ),
});

const page = shape({
  mode: must(one('url')),
  message: must(text),
  url: must(primitive('an address', (value) => URL.canParse(String(value)))),
  elicitationId: must(text, D, D),
});

/** The parameters of each request of a server. */
export const requests: { readonly [method: string]: Check } = {
  'roots/list': (value, version, path) =>
    value === undefined ? [] : shape({ _meta: may(record) })(value, version, path),
  'sampling/createMessage': shape({
    messages: must(
      list(shape({ role: must(role), content: must(from(D, oneOrMore, blocks)), _meta: may(record, D) })),
    ),
    modelPreferences: may(record),
    systemPrompt: may(text),
    includeContext: may(one('none', 'thisServer', 'allServers')),
    temperature: may(number),
    maxTokens: must(size),
    stopSequences: may(strings),
    metadata: may(record),
    tools: may(list(tool), D),
    toolChoice: may(shape({ mode: may(one('auto', 'required', 'none')) }), D),
  }),
  'elicitation/create': (value, version, path) => {
    if (version < C) return [`${path} is of elicitation`];
    return (version >= D && isObject(value) && value['mode'] === 'url' ? page : form)(value, version, path);
  },
};

const error = shape({
  code: must(primitive('an integer', Number.isInteger)),
  message: must(text),
  data: may(anything),
});

const jsonrpc = must(one('2.0'));

/** The problems of a message of a server, at a revision; `method` is that of the request it answers. */
export function mistakesIn(message: JsonObject, version: string, method?: string): string[] {
  const sent = String(message['method']);
  if (!('method' in message)) {
    const result = results[method ?? ''];
    if (!('result' in message))
      return shape({ jsonrpc, id: may(id), error: must(error) })(message, version, 'error');
    if (!result) return [`a result of ${method}`];
    return [
      ...shape({ jsonrpc, id: must(id), result: must(record) })(message, version, 'response'),
      ...result(message['result'], version, String(method)),
    ];
  }
  if ('id' in message) {
    if (version === E) return [`${sent} is a request`];
    const check = requests[sent];
    const whole = shape({ jsonrpc, id: must(id), method: must(text), params: may(record) });
    return check
      ? [...whole(message, version, sent), ...check(message['params'], version, sent)]
      : [`${sent} is no request`];
  }
  const check = notifications[sent];
  const absent = message['params'] === undefined && bare.test(sent) && version < E;
  return check
    ? [
        ...shape({ jsonrpc, method: must(text), params: may(record) })(message, version, sent),
        ...(absent ? [] : check(message['params'], version, sent)),
      ]
    : [`${sent} is no notification`];
}
