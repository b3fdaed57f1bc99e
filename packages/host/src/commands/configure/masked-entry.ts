import { isObject } from '@mcp/kit';
import type { Entry } from '../../config/entry/entry-values.ts';
import {
  mask,
  maskAddresses,
  maskArguments,
  maskCommand,
  maskHeader,
  maskValue,
} from '../../config/entry/mask-secrets.ts';

/** An entry of any format for display, with its secrets masked. The names of variables are shown. */
export function maskedEntry(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, masked(key, value)]));
}

function masked(key: string, value: unknown): unknown {
  if (/headers$/i.test(key) && key !== 'env_http_headers') return each(value, maskHeader);
  if (/^(?:oauth|auth)$/.test(key)) return each(value, (name, text) => (/secret/i.test(name) ? mask : text));
  if (typeof value === 'string')
    return key === 'command' ? maskCommand(value) : maskAddresses(withoutDefaults(value));
  if (isWords(value)) return maskedWords(key, value);
  return key === 'env_http_headers' ? value : each(value, maskValue);
}

/** An object with its strings as `show` shows them, and all else masked by its name. */
function each(value: unknown, show: (name: string, text: string) => string): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (typeof inner !== 'string') return [name, masked(name, inner)];
      return [name, isVariable(inner) ? inner : show(name, withoutDefaults(inner))];
    }),
  );
}

/** The words of a command; a list under another key, such as one of tools, is no command. */
function maskedWords(key: string, words: readonly string[]): readonly string[] {
  if (!/^(?:args|command)$/.test(key)) return words;
  const shown = maskArguments(words.map(withoutDefaults));
  return key === 'command' ? shown.map((word, index) => (index === 0 ? maskCommand(word) : word)) : shown;
}

/** A text without the default values of its variables, which may be secrets. */
function withoutDefaults(text: string): string {
  return text.replaceAll(/(?<=\$\{\w+:-)[^}]+/g, mask);
}

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string');
}

/** Whether a value only names a variable. */
function isVariable(value: string): boolean {
  return /^(?:Bearer )?(?:\$\{(?:(?!:-)[^}])+\}|\{env:\w+\}|\$\w+|%\w+%)$/.test(value);
}
