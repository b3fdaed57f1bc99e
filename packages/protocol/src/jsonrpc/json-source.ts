import { isObject } from '@mcp/kit';
import { endOfString } from './end-of-string.ts';
import { type JsonObject } from './message.ts';

/** An object and its JSON text, in which numbers above 2^53 and other long numbers are still exact. */
export interface JsonSource {
  readonly value: JsonObject;
  readonly text: string;
}

/**
 * If a message has fewer characters than this, serializing its object again is faster than finding the
 * unchanged members in its text to copy them.
 */
const shortLength = 4096;

/** Matches numbers that may have more digits, or a larger exponent, than JavaScript can represent. */
const longNumber = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

/**
 * The source of `value`, which is the member `name` of the message `text`. Undefined if the source is not
 * needed, because the text is short and has no number that JavaScript would change.
 */
export function sourceIn(text: string, name: string, value: JsonObject): JsonSource | undefined {
  if (text.length < shortLength && !longNumber.test(text)) return undefined;
  return memberSource({ value: { [name]: value }, text }, name);
}

/** The member `name` of a parsed object, with its JSON text; undefined if the member is not an object. */
export function memberSource({ value, text }: JsonSource, name: string): JsonSource | undefined {
  const member = value[name];
  if (!isObject(member)) return undefined;
  let found: string | undefined;
  // As in `JSON.parse`, the last of several members with the same name counts.
  forEachMember(text, (nameStart, nameEnd, start, end) => {
    if (nameIn(text, nameStart, nameEnd) === name) found = text.slice(start, end);
  });
  return found === undefined ? undefined : { value: member, text: found };
}

/** The JSON texts of the elements of an array; `json` is text that `JSON.parse` has accepted. */
export function elementTexts(json: string): string[] {
  const texts: string[] = [];
  for (let at = json.indexOf('[') + 1; at < json.length; at++) {
    const start = skipSpace(json, at);
    const end = endOfValue(json, start);
    if (end > start) texts.push(json.slice(start, end));
    at = skipSpace(json, end);
  }
  return texts;
}

/**
 * Returns the JSON text of `value`. If `value` is the object of `source`, returns the text of `source`.
 * Otherwise, each member that is the same in both objects keeps its text from `source`.
 */
export function textOf(value: JsonObject, source: JsonSource | undefined): string {
  if (!source) return JSON.stringify(value);
  const { value: before, text } = source;
  if (value === before) return onOneLine(text);
  let json = '';
  let left = Object.keys(before).length;
  forEachMember(text, (nameStart, nameEnd, _, end) => {
    left--;
    const name = nameIn(text, nameStart, nameEnd);
    const member = value[name];
    if (member !== undefined && member === before[name])
      json += `${json === '' ? '' : ','}${text.slice(nameStart, end)}`;
  });
  // The text has more members than the object, because a name occurs twice in it. The text is not used,
  // because both members would be copied from it.
  if (left < 0) return JSON.stringify(value);
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member !== undefined && member !== before[name])
      json += `${json === '' ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(member)}`;
  }
  return onOneLine(`{${json}}`);
}

/** Removes the line breaks between values, because a line break ends a message on stdio. */
function onOneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replace(/[\n\r]+/g, ' ') : json;
}

const quote = 0x22;
const comma = 0x2c;

/** Calls `take` with the start and end of each member's name (with quotes) and value in an object's text. */
function forEachMember(
  json: string,
  take: (nameStart: number, nameEnd: number, start: number, end: number) => void,
): void {
  for (let at = json.indexOf('{') + 1; ; at++) {
    const nameStart = skipSpace(json, at);
    if (json.charCodeAt(nameStart) !== quote) return;
    const nameEnd = endOfString(json, nameStart + 1) + 1;
    const start = skipSpace(json, json.indexOf(':', nameEnd) + 1);
    const end = endOfValue(json, start);
    take(nameStart, nameEnd, start, end);
    at = skipSpace(json, end);
  }
}

function nameIn(json: string, start: number, end: number): string {
  const name = json.slice(start + 1, end - 1);
  return name.includes('\\') ? String(JSON.parse(`"${name}"`)) : name;
}

function skipSpace(json: string, start: number): number {
  let at = start;
  while (json.charCodeAt(at) <= 0x20) at++;
  return at;
}

/** The index after the value that begins at `start`. */
function endOfValue(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case quote:
        at = endOfString(json, at + 1);
        break;
      case 0x5b:
      case 0x7b:
        depth++;
        break;
      case 0x5d:
      case 0x7d:
        // A number, or a word such as `true`, ends here: this bracket closes the array or object around it.
        if (depth === 0) return at;
        if (--depth === 0) return at + 1;
        break;
      case comma:
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0d:
        if (depth === 0) return at;
    }
  }
  return json.length;
}
