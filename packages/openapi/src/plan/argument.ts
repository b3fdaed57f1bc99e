import type { Style } from './styles.ts';

export const places = ['path', 'query', 'header', 'cookie', 'body'] as const;

/** Where a value goes in a request. */
export type ArgumentPlace = (typeof places)[number];

/** A value of a request: a parameter, a property of the body, or the whole body. */
export interface Argument {
  readonly place: ArgumentPlace;
  /** The name in the request. */
  readonly key: string;
  /** The schema as it is in the document. */
  readonly schema: { readonly value: unknown; readonly pointer: string };
  /** Replaces the description in the schema. */
  readonly description: string | undefined;
  readonly required: boolean;
  /** How the value becomes text; undefined in JSON, and in a form without an `encoding` of it. */
  readonly style: Style | undefined;
}

/** Whether a media type is JSON: `application/json` or `application/problem+json`, also with parameters. */
export function isJsonType(type: string): boolean {
  return /^\s*[\w.-]+\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i.test(type);
}
