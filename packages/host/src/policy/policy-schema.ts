const patterns = {
  description: 'Names, in which * is any characters.',
  anyOf: [
    { type: 'string', minLength: 1 },
    { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1 },
  ],
};

const text = { type: 'string', minLength: 1 };

/** The JSON Schema of policies, by which editors check and complete them. `readPolicy` accepts the same. */
export const policySchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Policy of mcp serve',
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    rules: {
      description: 'Of several rules for a call, the first one that has a key counts for this key.',
      type: 'array',
      items: { $ref: '#/$defs/rule' },
    },
    sets: {
      description: 'Groups of servers, for mcp serve --set.',
      type: 'object',
      additionalProperties: { type: 'array', items: text, minItems: 1 },
    },
    audit: {
      description: 'Adds a line of JSON to a file for each call.',
      type: 'object',
      additionalProperties: false,
      required: ['file'],
      properties: {
        file: { ...text, description: 'A path, relative to the directory of the policy.' },
        values: { type: 'boolean', description: 'Whether the lines have the arguments; false by default.' },
      },
    },
  },
  $defs: {
    rule: {
      type: 'object',
      additionalProperties: false,
      properties: {
        server: { ...patterns },
        tool: {
          ...patterns,
          description: 'Names of tools, as their server gives them; * is any characters.',
        },
        client: { ...patterns, description: 'Names of clients, which they choose themselves.' },
        principal: { ...patterns, description: 'Principals of the tokens of callers.' },
        hide: { type: 'boolean', description: 'Neither lists nor calls the tools.' },
        rename: { ...text, pattern: '^[A-Za-z_][\\w-]*$', description: 'The name for clients.' },
        title: text,
        describe: { ...text, description: 'The description for clients.' },
        confirm: {
          description: 'Asks the user before each call; a text is the question.',
          anyOf: [{ type: 'boolean' }, text],
        },
        arguments: { type: 'object', additionalProperties: { $ref: '#/$defs/argument' } },
        rate: {
          description:
            'At most so many calls at once for each caller; they come back evenly over so many seconds, so that in this time up to twice as many, less one, may pass.',
          type: 'object',
          additionalProperties: false,
          required: ['calls', 'seconds'],
          properties: {
            calls: { type: 'integer', minimum: 1, maximum: 1_000_000 },
            seconds: { type: 'integer', minimum: 1, maximum: 86_400 },
          },
        },
        maxArgumentBytes: { type: 'integer', minimum: 2, maximum: 1_000_000_000 },
        maxResultBytes: {
          description: 'For a result or an error, and for all texts and notifications during a call.',
          type: 'integer',
          minimum: 2,
          maximum: 1_000_000_000,
        },
      },
    },
    argument: {
      type: 'object',
      additionalProperties: false,
      properties: {
        value: { description: 'The value of each call; clients do not see the argument.' },
        default: { description: 'The value of a call that has none.' },
        allow: { type: 'array', minItems: 1, description: 'The only values that clients may give.' },
        rename: { ...text, description: 'The name for clients.' },
        describe: { ...text, description: 'The description for clients.' },
      },
    },
  },
} as const;
