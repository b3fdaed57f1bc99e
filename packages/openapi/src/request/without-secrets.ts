import type { Additions } from './build-request.ts';

/** Shorter values are not looked for, because they occur by chance. */
const minLength = 6;

/**
 * Replaces the values that the author added to a request in a message about it: an API may repeat its request
 * in an error.
 */
export function withoutSecrets(message: string, { headers, query }: Additions): string {
  const values = [...Object.values(headers), ...Object.values(query)];
  const forms = values.flatMap((value) => [
    value,
    encodeURIComponent(value.toWellFormed()),
    ...value.split(/[\s;=]+/),
  ]);
  return forms
    .filter((form) => form.length >= minLength && !/^(?:bearer|basic|digest|token)$/i.test(form))
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, form) => text.replaceAll(form, '[hidden]'), message);
}
