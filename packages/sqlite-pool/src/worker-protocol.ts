import type { Failure } from './errors.ts';

// The line protocol between the server and a database process. The server writes one line of JSON per request
// to stdin; the process answers in the same order on stdout, and the first character of a line is its kind:
//
//   +               the process has started
//   r<json>         a piece of the result
//   z               all pieces so far are invalid; the result begins anew
//   c               the transaction is about to be committed
//   =<text>\t<json> the end of a result: its text as a JSON string, or nothing, and its last piece
//   !<json>         the request failed: a `Failure`

export interface Beside {
  /** The absolute paths of extensions to load. */
  readonly extensions?: readonly string[] | undefined;
  /** Attached databases, which SQL reads together with the database, and their names in SQL. */
  readonly attached?: readonly { readonly name: string; readonly path: string }[] | undefined;
  /** Whether the request reads files as temporary tables. If so, SQLite must keep these tables in memory. */
  readonly files?: boolean | undefined;
}

export interface Request {
  readonly op: string;
  /** The absolute path of the database. */
  readonly path: string;
  readonly beside?: Beside | undefined;
  readonly args: unknown;
}

/** Encodes the numbers that JSON would change, Infinity and -0, as `{"$real":"…"}`. */
export function encodeParameters<Params>(params: Params): Params {
  if (typeof params !== 'object' || params === null || !containsChangedNumber(params)) return params;
  if (Array.isArray(params)) return params.map(encodeParameter) as Params;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, encodeParameter(value)]),
  ) as Params;
}

function encodeParameter(value: unknown): unknown {
  return isChangedByJson(value)
    ? { $real: Object.is(value, -0) ? '-0' : String(value) }
    : encodeParameters(value);
}

/**
 * Whether `params` contain a number that JSON would change, such as Infinity or -0. Inner arrays and objects
 * are searched, too, because `params` may be a list of rows.
 */
function containsChangedNumber(params: object, depth = 2): boolean {
  return Object.values(params).some(
    (value) =>
      isChangedByJson(value) ||
      (depth > 1 && typeof value === 'object' && value !== null && containsChangedNumber(value, depth - 1)),
  );
}

function isChangedByJson(value: unknown): boolean {
  return typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0));
}

export function encodeRequest(request: Request): string {
  return `${JSON.stringify(request)}\n`;
}

export function decodeRequest(line: string): Request {
  return JSON.parse(line) as Request;
}

export type Reply =
  | { readonly kind: 'ready' | 'restart' | 'committing' }
  | { readonly kind: 'piece'; readonly json: Buffer }
  | { readonly kind: 'result'; readonly text: string; readonly json: Buffer }
  | { readonly kind: 'failure'; readonly failure: Failure };

const signals: { readonly [line: string]: Reply } = {
  '+': { kind: 'ready' },
  z: { kind: 'restart' },
  c: { kind: 'committing' },
};

export const encodeReply = {
  ready: () => '+',
  piece: (json: string) => `r${json}`,
  restart: () => 'z',
  committing: () => 'c',
  /** `json` is the whole result or, after pieces, its last piece. */
  result: (text: string, json: string) => `=${text === '' ? '' : JSON.stringify(text)}\t${json}`,
  failure: (failure: Failure) => `!${JSON.stringify(failure)}`,
};

/** Decodes a line from a database process. Throws if its kind is unknown. */
export function decodeReply(line: Buffer): Reply {
  const kind = String.fromCharCode(line[0] ?? 0);
  if (kind === '=') {
    const tab = line.indexOf('\t');
    const text = tab === 1 ? '' : (JSON.parse(line.toString('utf8', 1, tab)) as string);
    return { kind: 'result', text, json: line.subarray(tab + 1) };
  }
  if (kind === 'r') return { kind: 'piece', json: line.subarray(1) };
  if (kind === '!') return { kind: 'failure', failure: JSON.parse(line.toString('utf8', 1)) as Failure };
  const signal = signals[kind];
  if (signal) return signal;
  throw new Error(`Unexpected line from a database process: ${JSON.stringify(line.toString('utf8', 0, 80))}`);
}
