import { type Node, parseTree } from 'jsonc-parser';

/**
 * Returns a text of JSON with a member set at `path`, whose last key is that of the member. Objects that are
 * missing on the way are created. All other text stays as it is, with its comments, and so do its line
 * breaks, its indentation and a comma after the last member. Throws if a value on the way is no object.
 */
export function setMember(text: string, path: readonly string[], value: unknown): string {
  const { mark, body } = withoutMark(text);
  const source = body.trim() === '' ? '{}\n' : body;
  const style = styleOf(source);
  let object = rootOf(source);
  let depth = 0;
  for (; depth < path.length - 1; depth++) {
    const inner = memberOf(object, path[depth]!)?.children?.[1];
    if (!inner) break;
    if (inner.type !== 'object') throw new Error(`"${path[depth]}" is not an object`);
    object = inner;
  }
  const wrapped = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  const existing = memberOf(object, path[depth]!);
  if (!existing) return mark + inserted(source, object, [path[depth]!, wrapped], style);
  const old = existing.children?.[1] ?? existing;
  const isInline = !source.slice(object.offset, object.offset + object.length).includes('\n');
  const indent = indentAt(source, existing.offset);
  const replacement = isInline ? compact(wrapped, style) : rendered(wrapped, indent, style);
  return mark + source.slice(0, old.offset) + replacement + source.slice(old.offset + old.length);
}

/**
 * Returns a text of JSON without the member at `path`, also where an object names it twice; undefined if
 * there is no such member. Comments stay.
 */
export function removeMember(text: string, path: readonly string[]): string | undefined {
  const { mark, body } = withoutMark(text);
  let source = body;
  for (;;) {
    const next = withoutOne(source, path);
    if (next === undefined) return source === body ? undefined : mark + source;
    source = next;
  }
}

/** How a text of JSON is written. */
interface Style {
  readonly lineBreak: string;
  /** The indentation of one level. */
  readonly unit: string;
  /** Whether a space follows a colon. */
  readonly isSpaced: boolean;
}

function styleOf(body: string): Style {
  return {
    lineBreak: body.includes('\r\n') ? '\r\n' : '\n',
    unit: /^([ \t]+)"/m.exec(body)?.[1] ?? '  ',
    isSpaced: !/":[^\s]/.test(body),
  };
}

function withoutMark(text: string): { readonly mark: string; readonly body: string } {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return { mark, body: text.slice(mark.length) };
}

function rootOf(body: string): Node {
  const root = parseTree(body, [], { allowTrailingComma: true });
  if (root?.type !== 'object') throw new Error('the file is not an object');
  return root;
}

/** The member of an object with this key: the last one, which counts. */
function memberOf(object: Node, key: string): Node | undefined {
  return object.children?.findLast((member) => member.children?.[0]?.value === key);
}

/** The text with a member behind the last one of `object`. Nothing is deleted but the space in `{ }`. */
function inserted(
  body: string,
  object: Node,
  [key, value]: readonly [string, unknown],
  style: Style,
): string {
  const close = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  const end = last ? last.offset + last.length : object.offset + 1;
  const comma = last ? commaAfter(body, end) : -1;
  const gapStart = comma === -1 ? end : comma + 1;
  const before = last && comma === -1 ? `${body.slice(0, end)},` : body.slice(0, gapStart);
  const space = /\s*$/.exec(body.slice(gapStart, close))![0];
  const gap = body.slice(gapStart, close - space.length);
  const after = comma === -1 ? '' : ',';
  const isInline = last
    ? !body.slice(object.offset, close).includes('\n')
    : body.trim().length > 2 && !body.trim().includes('\n');
  if (isInline) {
    const separator = last && style.isSpaced ? ' ' : '';
    const colon = style.isSpaced ? ': ' : ':';
    const member = `${JSON.stringify(key)}${colon}${compact(value, style)}${after}`;
    return `${before}${gap}${separator}${member}${space}${body.slice(close)}`;
  }
  const outer = indentAt(body, object.offset);
  const beginsLine = last && body.slice(lineStart(body, last.offset), last.offset).trim() === '';
  const indent = beginsLine ? indentAt(body, last.offset) : outer + style.unit;
  const member = `${JSON.stringify(key)}: ${rendered(value, indent, style)}${after}`;
  const isEmpty = !last && gap === '';
  const behind = isEmpty ? `${style.lineBreak}${outer}` : space;
  return `${before}${gap}${style.lineBreak}${indent}${member}${behind}${body.slice(close)}`;
}

function withoutOne(body: string, path: readonly string[]): string | undefined {
  let object: Node | undefined = rootOf(body);
  for (const key of path.slice(0, -1)) object = object && memberOf(object, key)?.children?.[1];
  const member = object && memberOf(object, path.at(-1)!);
  if (!object?.children || !member) return undefined;
  const { offset } = member;
  const end = offset + member.length;
  const comma = commaAfter(body, end);
  const after = comma === -1 ? body.slice(end) : body.slice(end, comma) + body.slice(comma + 1);
  const previous = object.children[object.children.indexOf(member) - 1];
  const start = previous ? previous.offset + previous.length : object.offset + 1;
  const gap = body.slice(start, offset);
  if (!previous && gap.trim() === '' && isClosed(after)) return body.slice(0, start) + after.trimStart();
  // Without a comma behind it, the member is the last one, and the comma before it goes.
  const other = previous && comma === -1 ? commaAfter(body, start) : -1;
  const between = other === -1 ? gap : body.slice(start, other) + body.slice(other + 1, offset);
  return body.slice(0, start) + joined(between, after);
}

/**
 * Joins what is before and behind a removed member in its object: without the space before it where nothing
 * is left behind it on its line or in the object; otherwise without the space behind it.
 */
function joined(before: string, after: string): string {
  const space = before.slice(before.trimEnd().length);
  const [lineBreak] = /\r?\n[^\n]*$/.exec(space) ?? [];
  const isLine = lineBreak !== undefined && /^[ \t]*(?:\r?\n|$)/.test(after);
  // A comment to the end of its line must not reach the brace.
  const marks = before.replaceAll(/\/\*[^]*?\*\/|\/\/[^\r\n]*/g, (each) => each.slice(0, 2));
  const isComment = marks.trimEnd().endsWith('//');
  if (isLine || (isClosed(after) && !isComment))
    return before.slice(0, before.length - (lineBreak ?? space).length) + after;
  return before + after.replace(/^[ \t]+/, '');
}

/** Whether an object ends at the beginning of a text. */
function isClosed(text: string): boolean {
  return /^\s*\}/.test(text);
}

/** The offset of the comma that follows, behind white space and comments; -1 if another character follows. */
function commaAfter(body: string, at: number): number {
  const [skipped] = /^(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/.exec(body.slice(at)) ?? [''];
  return body[at + skipped.length] === ',' ? at + skipped.length : -1;
}

function lineStart(body: string, at: number): number {
  return body.lastIndexOf('\n', at - 1) + 1;
}

/** The white space at the beginning of the line of an offset. */
function indentAt(body: string, at: number): string {
  return /^[ \t]*/.exec(body.slice(lineStart(body, at)))?.[0] ?? '';
}

function rendered(value: unknown, indent: string, { unit, lineBreak }: Style): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${lineBreak}${indent}`);
}

/** A value on one line. */
function compact(value: unknown, style: Style): string {
  if (!style.isSpaced || typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => compact(each, style)).join(', ')}]`;
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${compact(each, style)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
