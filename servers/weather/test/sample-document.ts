import { sampleDocuments } from '@mcp/weather-data';

const documents = sampleDocuments();

/** A copy of a document of the sample, such as `berlin-current`, in the format of its provider. */
export function sampleDocument(name: string): { [name: string]: unknown } {
  const [, place = '', product = ''] = /^([a-z]+)-(.+)$/.exec(name) ?? [];
  const document = documents[place]?.[product];
  if (document === undefined) throw new Error(`The sample has no document "${name}"`);
  return structuredClone(document) as { [name: string]: unknown };
}
