import { isObject } from '@mcp/kit';
import type { Entry } from '../../config/entry/entry-values.ts';
import {
  mask,
  maskAddresses,
  maskArguments,
  maskHeader,
  maskValue,
} from '../../config/entry/mask-secrets.ts';

/** An entry of any format for display, with its secrets masked. The names of variables are shown. */
export function maskedEntry(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, masked(key, value)]));
}

function masked(key: string, value: unknown): unknown {
  if (/^(?:env|environment)$/.test(key)) return each(value, maskValue);
  if (/headers$/i.test(key) && key !== 'env_http_headers') return each(value, maskHeader);
  if (/^(?:oauth|auth)$/.test(key)) return each(value, (name, text) => (/secret/i.test(name) ? mask : text));
  if (typeof value === 'string') return key === 'command' ? value : maskAddresses(value);
  const words: readonly unknown[] = Array.isArray(value) ? value : [];
  if (/^(?:args|command)$/.test(key) && words.every((word) => typeof word === 'string'))
    return maskArguments(words);
  return value;
}

function each(value: unknown, show: (name: string, text: string) => string): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => [
      name,
      typeof text !== 'string' || isVariable(text) ? text : show(name, text),
    ]),
  );
}

/** Whether a value only names a variable. */
function isVariable(value: string): boolean {
  return /^(?:Bearer )?(?:\$\{[^}]+\}|\{env:\w+\}|\$\w+|%\w+%)$/.test(value);
}
