import { jsonSchema } from '@mcp/protocol';

/** The argument of a prompt; it is the name of a command. */
export const commandInput = jsonSchema<{ readonly command: string }>(
  {
    type: 'object',
    properties: { command: { type: 'string', description: 'The name of a command' } },
    required: ['command'],
  },
  (value) => value as { readonly command: string },
);
