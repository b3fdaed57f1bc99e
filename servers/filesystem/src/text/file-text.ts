import { defaultTextBytes, type LinesRead, type TextRead } from '@mcp/sandbox';
import { maxPage } from './bounds.ts';

/** Maximum bytes of file content in an answer, unless the caller gives a number of lines of a single file. */
export const maxTextBytes = maxPage;
export const maxTextSize = `${maxTextBytes / 1000} kB`;

export interface FileText {
  readonly text: string;
  /** Which part is missing, and the argument that reads on; undefined if the text is complete. */
  readonly note?: string | undefined;
  readonly hash?: string | undefined;
}

/** Returns the first or last lines that were read, with a note if they were cut at `maxBytes`. */
export function fileEnd({ text, truncated, size, hash }: TextRead, maxBytes: number): FileText {
  const isOneLine = !text.trimEnd().includes('\n');
  const lines = isOneLine ? wholeLine('head or tail', maxBytes) : ' Request fewer lines.';
  const note = `Cut off${isOneLine ? ' in a line' : ''}; the file has ${size} bytes.${lines}`;
  return { text, note: truncated ? note : undefined, hash };
}

/** Returns the start of a file; if it was cut, up to the end of the last whole line. */
export function fileStart({ text, truncated, size, hash }: TextRead, maxBytes: number): FileText {
  if (!truncated) return { text, hash };
  const end = text.lastIndexOf('\n');
  if (end < 0) {
    const note = `Cut off in line 1; the file has ${size} bytes.${wholeLine('limit', maxBytes)}`;
    return { text, note, hash };
  }
  const whole = text.slice(0, end);
  return { text: whole, note: startNote(whole.split('\n').length, size), hash };
}

function startNote(count: number, size: number): string {
  return `These are lines 1 to ${count}; the file has ${size} bytes. Continue with offset ${count + 1}.`;
}

/** Returns the last lines that were read, with their numbers if these are known, and as many as fit. */
export function numberedEnd(read: TextRead, maxBytes: number): FileText {
  const { text, firstLine, truncated, size } = read;
  if (firstLine === undefined) {
    const shown = fileEnd(read, maxBytes);
    const notes = [unnumberedNote, ...(shown.note === undefined ? [] : [shown.note])];
    return { ...shown, note: notes.join(' ') };
  }
  if (text === '' && size === 0) return fileEnd(read, maxBytes);
  const lines = text.split('\n').map((line, index) => `${firstLine + index}\t${line.replace(/\r$/, '')}`);
  const fit = Math.max(fitting(lines.toReversed(), maxBytes), 1);
  return {
    ...fileEnd({ ...read, truncated: truncated || fit < lines.length }, maxBytes),
    text: lines.slice(-fit).join('\n'),
  };
}

const unnumberedNote = 'Without line numbers: of a long file, only the end is read.';

/** Returns the start of a file with line numbers, and the size of the file if it was cut. */
export function numberedStart(read: LinesRead, maxBytes: number): FileText {
  const shown = numberedLines(read, maxBytes);
  if (shown.note === undefined || read.lines.length <= 1) return shown;
  return { ...shown, note: startNote(shown.text.split('\n').length, read.size) };
}

/** Returns as many of the lines as fit into `maxBytes`, with their numbers; if none fits, the first one. */
export function numberedLines({ first, lines, next, cut, hash }: LinesRead, maxBytes: number): FileText {
  const whole = cut && lines.length > 1 ? lines.slice(0, -1) : lines;
  const shown = whole.map((line, index) => `${first + index}\t${line}`);
  let text = shown.join('\n');
  if (Buffer.byteLength(text) >= maxBytes) {
    shown.splice(Math.max(fitting(shown, maxBytes), 1));
    text = shown.join('\n');
  }
  const after = first + shown.length;
  if (cut && lines.length === 1) {
    const how = wholeLine(`offset ${first} and limit`, maxBytes);
    const note = `Cut off in line ${first}.${how} Lines after it, if any, begin at offset ${after}.`;
    return { text, note, hash };
  }
  const isMore = next !== undefined || shown.length < lines.length;
  return { text, note: isMore ? `There is more; continue with offset ${after}.` : undefined, hash };
}

/** Returns how many of the lines, from the first on, have at most `maxBytes` together. */
function fitting(lines: readonly string[], maxBytes: number): number {
  let size = 0;
  const over = lines.findIndex((line) => (size += Buffer.byteLength(line) + 1) > maxBytes);
  return over < 0 ? lines.length : over;
}

/** Returns how to read more of a long line; empty if the answer has the maximum already. */
function wholeLine(argument: string, maxBytes: number): string {
  if (maxBytes >= defaultTextBytes) return '';
  return ` read_text_file with ${argument} 1 shows up to 1 MiB of it.`;
}
