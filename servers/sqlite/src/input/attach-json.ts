import { embeddedResource, textResourceContents, userMessage } from '@mcp/protocol';

/**
 * Returns a user message with a JSON value as an embedded resource. `uri` is the URI at which it can be read
 * again. Its MIME type is text/plain, because clients pass embedded text to the model, and some refuse any
 * other type.
 */
export function attachJson(uri: string, value: unknown) {
  return userMessage(
    embeddedResource(textResourceContents(uri, JSON.stringify(value, null, 1), 'text/plain')),
  );
}

/** The maximum number of tables and characters of a schema that a prompt attaches. */
export const promptSchemaLimits = { maxTables: 200, maxLength: 64 * 1024 };
