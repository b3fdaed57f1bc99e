import { embeddedResource, textResourceContents, userMessage } from '@mcp/protocol';

/** A message that carries JSON of a database, under the URI by which it can be read again. */
export function attached(uri: string, value: unknown) {
  return userMessage(
    embeddedResource(textResourceContents(uri, JSON.stringify(value, null, 1), 'application/json')),
  );
}
