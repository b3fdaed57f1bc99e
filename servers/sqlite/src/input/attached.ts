import { embedded, textContents, user } from '@mcp/protocol';

/** A message that carries JSON of a database, under the URI by which it can be read again. */
export function attached(uri: string, value: unknown) {
  return user(embedded(textContents(uri, JSON.stringify(value, null, 1), 'application/json')));
}
