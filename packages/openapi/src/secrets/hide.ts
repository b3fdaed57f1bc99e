import { patternOf } from './pattern-of.ts';
import type { Secret } from './secrets.ts';

/** Replaces what must not be shown in a text. */
export type Hide = (text: string) => string;

/** Shorter values are not looked for, because they occur by chance. */
const minLength = 6;

/**
 * Returns a function that replaces the values by `[hidden]`, also as an API may repeat them: escaped for
 * JSON, HTML or a URL, in other case, in base64, or their parts alone, such as a token without its scheme.
 */
export function hiding(secrets: readonly Secret[]): Hide {
  const forms = Array.from(new Set(secrets.flatMap(({ value }) => formsOf(value))))
    .filter(({ length }) => length >= minLength)
    .toSorted((a, b) => b.length - a.length)
    .map((form) => ({ form, part: plainPartOf(form) }));
  return (text) => {
    // An expression for a long token takes milliseconds to make; most texts have no secret.
    const lower = text.toLowerCase();
    const possible = forms.filter(({ part }) => lower.includes(part));
    if (possible.length === 0) return text;
    return text.replaceAll(
      new RegExp(possible.map(({ form }) => patternOf(form)).join('|'), 'gi'),
      '[hidden]',
    );
  };
}

/** The longest part of a form that nothing escapes, in lower case. */
function plainPartOf(form: string): string {
  const parts = form.match(/[\w.~-]+/g) ?? [''];
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest)).toLowerCase();
}

function formsOf(value: string): string[] {
  const words = value.split(/[\s,;]+/).filter((word) => !/^(?:bearer|basic|digest|token)$/i.test(word));
  // In cookies, and in the parameters of a scheme: `name=value` or `name="value"`.
  const values = words.flatMap((word) => /^[\w.-]+=(.+)$/.exec(word)?.[1]?.replaceAll('"', '') ?? []);
  return [value, ...words, ...values, base64(value), ...basicCredentials(value)];
}

function base64(value: string): string {
  const bytes = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte));
  const text = btoa(bytes.join(''));
  // Without its end, which is another one where more text follows.
  return text.endsWith('=') ? text.slice(0, text.indexOf('=') - 1) : text;
}

/** The user and the password of the scheme `Basic`, and the password alone. */
function basicCredentials(value: string): string[] {
  const [, encoded] = /^basic +([\w+/-]+)=*$/i.exec(value) ?? [];
  if (encoded === undefined) return [];
  try {
    const pair = new TextDecoder().decode(Uint8Array.from(atob(encoded), (each) => each.charCodeAt(0)));
    return [pair, pair.slice(pair.indexOf(':') + 1)];
  } catch {
    return [];
  }
}
