import { embeddedResource, textResourceContents, userMessage } from '@mcp/protocol';

/** A user message with a JSON value as an embedded resource, under the URI at which it can be read again. */
export function attachJson(uri: string, value: unknown) {
  return userMessage(
    embeddedResource(textResourceContents(uri, JSON.stringify(value, null, 1), 'application/json')),
  );
}

/** How much of a schema a prompt attaches. */
export const promptSchemaLimits = { maxTables: 200, maxLength: 64 * 1024 };
