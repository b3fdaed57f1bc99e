import { embeddedResource, textResourceContents, userMessage } from '@mcp/protocol';

/**
 * A user message with a JSON value as an embedded resource, under the URI at which it can be read again.
 * Its type is text: clients hand embedded text to the model, and some refuse any other type.
 */
export function attachJson(uri: string, value: unknown) {
  return userMessage(
    embeddedResource(textResourceContents(uri, JSON.stringify(value, null, 1), 'text/plain')),
  );
}

/** How much of a schema a prompt attaches. */
export const promptSchemaLimits = { maxTables: 200, maxLength: 64 * 1024 };
