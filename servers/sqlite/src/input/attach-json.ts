import { embeddedResource, textResourceContents, userMessage } from '@mcp/protocol';

/**
 * Returns a JSON value as an embedded resource that can be read again at `uri`. It is text/plain, because
 * some clients refuse any other type.
 */
export function attachJson(uri: string, value: unknown) {
  return userMessage(
    embeddedResource(textResourceContents(uri, JSON.stringify(value, null, 1), 'text/plain')),
  );
}

/** The maximum number of tables and characters of a schema that a prompt attaches. */
export const promptSchemaLimits = { maxTables: 200, maxLength: 64 * 1024 };
