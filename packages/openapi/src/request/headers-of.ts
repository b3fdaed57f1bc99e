import { quoted } from '@mcp/kit';
import type { Values } from '../options.ts';
import { isSameParameter } from '../plan/same-parameter.ts';
import { type Given, textOf } from './given.ts';
import { percentEncode } from './serialize.ts';

/** The headers of a request: those of arguments, and those that the author adds, which replace them. */
export function headersOf(headers: readonly Given[], cookies: readonly Given[], added: Values): Headers {
  const sent = new Headers({ accept: 'application/json, */*;q=0.5' });
  for (const given of headers) {
    const text = textOf(given, (part) => part);
    if (text === undefined) continue;
    if (!isHeaderText(text)) throw new Error(`Argument "${given.name}": ${noHeader}`);
    sent.set(given.argument.key, text);
  }
  const own: string[] = [];
  for (const [name, text] of Object.entries(added)) {
    // The value is not shown, because it may be a secret.
    if (!isHeaderText(text)) throw new Error(`The header ${quoted(name)} of the author: ${noHeader}`);
    if (name.toLowerCase() === 'cookie') own.push(text);
    else sent.set(name, text);
  }
  const pairs = [...cookiesBeside(own, cookies), ...own];
  if (pairs.length > 0) sent.set('cookie', pairs.join('; '));
  return sent;
}

const noHeader = 'the value has a character that a header cannot have, such as a line break';

function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** The cookies of arguments whose names are not those of the author's cookies. */
function cookiesBeside(own: readonly string[], cookies: readonly Given[]): string[] {
  const names = own.flatMap((text) => text.split(';')).map(nameOf);
  const pairs = cookies.flatMap((given) => textOf(given, percentEncode, '; ')?.split('; ') ?? []);
  return pairs.filter(
    (pair) => !names.some((each) => isSameParameter(each, decodeURIComponent(nameOf(pair)))),
  );
}

function nameOf(pair: string): string {
  return pair.split('=', 1)[0] ?? '';
}
