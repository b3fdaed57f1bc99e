import { endOfString } from './end-of-string.ts';
import { isObject, type JsonObject } from './message.ts';

/**
 * An object, and the JSON text that it was parsed from. Numbers that JavaScript does not have,
 * such as integers above 2^53, are only in the text.
 */
export interface JsonSource {
  readonly value: JsonObject;
  readonly text: string;
}

/** Below this length, JSON is written again faster than its text is taken apart. */
const shortLength = 4096;

/** Numbers that may have more digits than JavaScript keeps, or a greater exponent. */
const longNumber = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

/**
 * The source of `value`, which is a member of the message with this text; undefined where it needs none,
 * as the text is short and has no number that JavaScript would change.
 */
export function sourceIn(text: string, name: string, value: JsonObject): JsonSource | undefined {
  if (text.length < shortLength && !longNumber.test(text)) return undefined;
  return memberSource({ value: { [name]: value }, text }, name);
}

/** The source of a member of a parsed object; undefined where the member is no object. */
export function memberSource({ value, text }: JsonSource, name: string): JsonSource | undefined {
  const member = value[name];
  if (!isObject(member)) return undefined;
  let found: string | undefined;
  // As in `JSON.parse`, the last member of a name counts.
  forEachMember(text, (nameStart, nameEnd, start, end) => {
    if (nameIn(text, nameStart, nameEnd) === name) found = text.slice(start, end);
  });
  return found === undefined ? undefined : { value: member, text: found };
}

/** The texts of the elements of an array, whose text `JSON.parse` has accepted. */
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
 * The JSON text of `value`. If it is the source, or has members of the source, these keep the source's text.
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
  // Of two members of one name, the second has replaced the first.
  if (left < 0) return JSON.stringify(value);
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member !== undefined && member !== before[name])
      json += `${json === '' ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(member)}`;
  }
  return onOneLine(`{${json}}`);
}

/**
 * The same JSON without line breaks, which end a message on stdio; strings in JSON contain no line breaks.
 */
function onOneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replace(/[\n\r]+/g, ' ') : json;
}

const quote = 0x22;
const comma = 0x2c;

/** Finds the members of an object, whose text `JSON.parse` has accepted. A name is taken with its quotes. */
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
    if (json.charCodeAt(at) !== comma) return;
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

/** The index behind the value that begins at `start`. */
function endOfValue(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case quote:
        at = endOfString(json, at + 1);
        if (depth === 0) return at + 1;
        break;
      case 0x5b:
      case 0x7b:
        depth++;
        break;
      case 0x5d:
      case 0x7d:
        // The end of the object around a number or a word.
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
