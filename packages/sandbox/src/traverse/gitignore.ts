import { Glob } from './glob.ts';

interface Rule {
  /** The line of the rule in the file, from 0. If several rules match, the last of them decides. */
  readonly index: number;
  readonly negated: boolean;
  readonly onlyDirectory: boolean;
}

interface GlobRule extends Rule {
  // Git compares the text before the first wildcard separately and then matches the rest as a pattern of its
  // own, so in `a**/b` the `**` counts as a whole name.
  /** The literal text before the first wildcard. */
  readonly prefix: string;
  readonly pattern: string;
  /** Whether the rule matches the name of an entry at any depth, rather than its path. */
  readonly onlyName: boolean;
  glob?: Pick<Glob, 'matches'> | undefined;
}

/** The maximum number of patterns that need a {@link Glob}; further such patterns are ignored. */
const maxGlobs = 5000;

/**
 * The rules of one .gitignore file, with git's semantics. Most rules are a name, a path or an extension, and
 * are looked up in tables. The other rules are matched by {@link Glob}, which never backtracks.
 * @see https://git-scm.com/docs/gitignore
 */
export class GitIgnore {
  readonly #names = new Map<string, Rule[]>();
  readonly #paths = new Map<string, Rule[]>();
  readonly #endings = new Map<string, Rule[]>();
  readonly #endingLengths = new Set<number>();
  readonly #globs: GlobRule[] = [];

  constructor(text: string) {
    for (const [index, line] of text
      .replace(/^\ufeff/, '')
      .split('\n')
      .entries())
      this.#add(index, line);
  }

  /** Whether a path relative to the .gitignore file is ignored; undefined if no rule matches. */
  ignores(path: string, name: string, isDirectory: boolean): boolean | undefined {
    let last: Rule | undefined;
    const consider = (rules: readonly Rule[] | undefined) => {
      for (const rule of rules ?? []) {
        if ((isDirectory || !rule.onlyDirectory) && rule.index > (last?.index ?? -1)) last = rule;
      }
    };
    consider(this.#names.get(name));
    consider(this.#paths.get(path));
    for (const length of this.#endingLengths) {
      if (length <= name.length) consider(this.#endings.get(name.slice(-length)));
    }
    if (this.#globs.length === 0) return last && !last.negated;
    const [pathBytes, nameBytes] = [bytewise(path), bytewise(name)];
    for (let at = this.#globs.length - 1; at >= 0; at--) {
      const rule = this.#globs[at]!;
      if (rule.index < (last?.index ?? -1)) break;
      if (!isDirectory && rule.onlyDirectory) continue;
      const text = rule.onlyName ? nameBytes : pathBytes;
      if (text.startsWith(rule.prefix) && globOf(rule).matches(text.slice(rule.prefix.length))) last = rule;
    }
    return last && !last.negated;
  }

  #add(index: number, line: string): void {
    let pattern = trimmed(line);
    if (pattern === '' || pattern.startsWith('#')) return;
    const negated = pattern.startsWith('!');
    if (negated) pattern = pattern.slice(1);
    const onlyDirectory = pattern.endsWith('/');
    if (onlyDirectory) pattern = pattern.slice(0, -1);
    if (pattern === '') return;
    const onlyName = !pattern.includes('/');
    if (pattern.startsWith('/')) pattern = pattern.slice(1);

    const rule = { index, negated, onlyDirectory };
    const literal = literalOf(pattern);
    const ending = onlyName && pattern.startsWith('*') ? literalOf(pattern.slice(1)) : undefined;
    if (literal !== undefined) put(onlyName ? this.#names : this.#paths, literal, rule);
    else if (ending) {
      put(this.#endings, ending, rule);
      this.#endingLengths.add(ending.length);
    } else if (this.#globs.length < maxGlobs) {
      const bytes = bytewise(pattern);
      const prefix = onlyName ? '' : /^[^*?[\\]*/.exec(bytes)![0];
      this.#globs.push({ ...rule, prefix, pattern: bytes.slice(prefix.length), onlyName });
    }
  }
}

/** Returns a text with one character for each of its bytes in UTF-8, because git's wildcards match bytes. */
function bytewise(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

function put(rules: Map<string, Rule[]>, key: string, rule: Rule): void {
  const same = rules.get(key);
  if (same) same.push(rule);
  else rules.set(key, [rule]);
}

/** Removes a carriage return and unescaped spaces at the end of a line, as git does. */
function trimmed(line: string): string {
  let end = line.endsWith('\r') ? line.length - 1 : line.length;
  while (end > 0 && line[end - 1] === ' ' && !isEscaped(line, end - 1)) end--;
  return line.slice(0, end);
}

function isEscaped(line: string, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

/** Returns the literal text of a pattern; undefined if the pattern has wildcards. */
function literalOf(pattern: string): string | undefined {
  if (/[*?[]/.test(pattern.replace(/\\./gs, ''))) return undefined;
  return isEscaped(pattern, pattern.length) ? undefined : pattern.replace(/\\(.)/gs, '$1');
}

/** Returns the compiled pattern of a rule; if the pattern is invalid, an object that never matches. */
function globOf(rule: GlobRule): Pick<Glob, 'matches'> {
  if (rule.glob) return rule.glob;
  if (/^\*{2,}(\/\*{2,})*$/.test(rule.pattern)) return (rule.glob = { matches: () => true });
  const pattern = toGlob(rule.pattern);
  try {
    if (pattern !== undefined) rule.glob = new Glob(`./${pattern}`);
  } catch {
    // The pattern is too long or contains `..`, which no path does: it matches nothing.
  }
  return (rule.glob ??= { matches: () => false });
}

const classes: Record<string, string> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  xdigit: '0-9A-Fa-f',
  space: ' \t\n\v\f\r',
  blank: ' \t',
  punct: '\\!-\\/:-@\\[-`{-~',
  cntrl: '\0-\x1f\x7f',
  graph: '\\!-~',
  print: ' -~',
};

function toGlob(pattern: string): string | undefined {
  let glob = '';
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]!;
    if (character === '\\') {
      if (at + 1 === pattern.length) return undefined;
      glob += `\\${pattern[++at]}`;
    } else if (character === '[') {
      const end = endOfClass(pattern, at);
      const members = end && classOf(pattern.slice(at, end + 1));
      if (!end || members === undefined) return undefined;
      glob += members;
      at = end;
    } else if (character === '*') {
      const start = at;
      while (pattern[at + 1] === '*') at++;
      glob += at > start ? '**' : '*';
    } else {
      glob += '{},'.includes(character) ? `\\${character}` : character;
    }
  }
  return glob;
}

function endOfClass(pattern: string, start: number): number | undefined {
  let at = start + 1;
  if (pattern[at] === '!' || pattern[at] === '^') at++;
  for (let first = true; at < pattern.length; at++, first = false) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === '[' && pattern[at + 1] === ':') {
      const end = pattern.indexOf(':]', at + 2);
      if (end >= 0) at = end + 1;
    } else if (pattern[at] === ']' && !first) return at;
  }
  return undefined;
}

/** Converts git's bracket expression to the syntax of {@link Glob}; undefined for an unknown class. */
function classOf(text: string): string | undefined {
  let isKnown = true;
  const named = text.replace(/\[:(.*?):\]/gs, (_, name: string) => {
    isKnown &&= Object.hasOwn(classes, name);
    return classes[name] ?? '';
  });
  if (!isKnown) return undefined;
  // Git compares the first character of a range by itself: a reversed range (`[z-a]`) matches its first.
  const ranged = named.replace(/(\\.|[^\\[\]!^])-(\\.|[^\\\]])/gs, (range, low: string, high: string) =>
    low.at(-1)! > high.at(-1)! ? low + range : range,
  );
  // {@link Glob} accepts a slash in a bracket expression only if it is escaped. It never matches, as in git.
  return ranged.replace(/\\.|\//gs, (each) => (each === '/' ? '\\/' : each));
}
