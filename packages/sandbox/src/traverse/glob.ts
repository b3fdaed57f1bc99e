import { quoted } from '@mcp/kit';

/**
 * The state of a match: all positions of the pattern at which the match can be after the characters read so
 * far.
 */
export interface GlobState {
  /** Whether the characters read so far are a path that matches. */
  readonly accepting: boolean;
  /** Whether no path that begins with these characters can match. */
  readonly dead: boolean;
}

const maxPatternLength = 1000;
const maxStates = 2000;

/**
 * A glob for paths: `*` and `?` match within a name, `**` across directories, `[a-z]` and `[!a-z]` one
 * character, `{a,b}` alternatives, and a backslash escapes the next character. Names that begin with a dot
 * are not special. A pattern without `/` matches a name at any depth.
 *
 * Matching simulates a nondeterministic automaton and never backtracks, so its time is bounded by the length
 * of the pattern times the length of the path.
 */
export class Glob {
  readonly start: GlobState;
  readonly #program: Instruction[];
  readonly #states = new Map<string, State>();

  constructor(pattern: string) {
    if (pattern === '') throw new Error('A pattern cannot be empty');
    if (pattern.length > maxPatternLength)
      throw new Error(`Pattern longer than ${maxPatternLength} characters: ${quoted(pattern)}`);
    if (pattern.startsWith('/'))
      throw new Error(
        `A pattern is relative to the searched directory and cannot begin with "/": ${quoted(pattern)}`,
      );
    if (pattern.split('/').includes('..'))
      throw new Error(`A pattern cannot contain "..": ${quoted(pattern)}`);
    const anchored = pattern.includes('/');
    this.#program = new Compiler(anchored ? pattern.replace(/^(\.\/)+/, '') : `**/${pattern}`).program();
    this.start = this.#stateOf([0]);
  }

  matches(path: string): boolean {
    return this.step(this.start, path).accepting;
  }

  /** The state after the next part of a path, so that a prefix of several paths is matched once. */
  step(from: GlobState, text: string): GlobState {
    let state = from as State;
    for (let at = 0; at < text.length && !state.dead; at++) {
      const character = text.codePointAt(at)!;
      if (character > 0xffff) at++;
      state = state.next.get(character) ?? this.#advance(state, character);
    }
    return state;
  }

  #advance(state: State, character: number): State {
    const targets = [];
    for (const at of state.positions) {
      if (consumes(this.#program[at]!, character)) targets.push(at + 1);
    }
    const next = this.#stateOf(targets);
    if (this.#states.size < maxStates) state.next.set(character, next);
    return next;
  }

  /** The state for these positions and all that can be reached from them without reading a character. */
  #stateOf(targets: number[]): State {
    const reached = new Set<number>();
    const pending = targets;
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (reached.has(at)) continue;
      reached.add(at);
      const instruction = this.#program[at]!;
      if (instruction.kind === 'jump') pending.push(...instruction.to);
    }
    const positions = [...reached].filter((at) => this.#program[at]!.kind !== 'jump').sort((a, b) => a - b);
    const key = positions.join();
    const known = this.#states.get(key);
    if (known) return known;

    const accepting = positions.some((at) => this.#program[at]!.kind === 'match');
    const state = { positions, accepting, dead: positions.length === 0, next: new Map<number, State>() };
    if (this.#states.size < maxStates) this.#states.set(key, state);
    return state;
  }
}

interface State extends GlobState {
  readonly positions: readonly number[];
  readonly next: Map<number, State>;
}

type Instruction =
  | { readonly kind: 'character'; readonly code: number }
  | { readonly kind: 'any' }
  | { readonly kind: 'within name' }
  | { readonly kind: 'class'; readonly negated: boolean; readonly ranges: readonly [number, number][] }
  | { readonly kind: 'jump'; readonly to: number[] }
  | { readonly kind: 'match' };

const slash = 0x2f;

function consumes(instruction: Instruction, character: number): boolean {
  switch (instruction.kind) {
    case 'character':
      return instruction.code === character;
    case 'any':
      return true;
    case 'within name':
      return character !== slash;
    case 'class':
      if (character === slash) return false;
      return (
        instruction.ranges.some(([low, high]) => low <= character && character <= high) !==
        instruction.negated
      );
    default:
      return false;
  }
}

/** Compiles a pattern into instructions, by Thompson's construction for regular expressions. */
class Compiler {
  readonly #pattern: readonly string[];
  readonly #program: Instruction[] = [];
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = Array.from(pattern);
  }

  program(): Instruction[] {
    this.#sequence(true, false);
    this.#program.push({ kind: 'match' });
    return this.#program;
  }

  /** Compiles up to the end of the pattern, or up to the `,` or `}` that ends one alternative. */
  #sequence(startsName: boolean, inBraces: boolean): void {
    let atStart = startsName;
    for (; this.#at < this.#pattern.length; atStart = this.#pattern[this.#at - 1] === '/') {
      const character = this.#pattern[this.#at]!;
      if (inBraces && (character === ',' || character === '}')) return;
      if (character === '*') this.#stars(atStart, inBraces);
      else if (character === '?') this.#one({ kind: 'within name' });
      else if (character === '[') this.#class();
      else if (character === '{' && this.#isAlternation()) this.#alternatives(atStart);
      else this.#literal();
    }
  }

  #one(instruction: Instruction): void {
    this.#program.push(instruction);
    this.#at++;
  }

  #literal(): void {
    if (this.#pattern[this.#at] === '\\' && this.#at + 1 < this.#pattern.length) this.#at++;
    this.#one({ kind: 'character', code: this.#pattern[this.#at]!.codePointAt(0)! });
  }

  #stars(startsName: boolean, inBraces: boolean): void {
    const start = this.#at;
    while (this.#pattern[this.#at] === '*') this.#at++;
    const following = this.#pattern[this.#at];
    const endsName = following === undefined || (inBraces && (following === ',' || following === '}'));
    const spans = startsName && this.#at - start === 2;

    if (spans && following === '/') {
      // `**/` matches any number of whole names, including none.
      this.#at++;
      const skip = this.#jump();
      this.#loop({ kind: 'any' });
      this.#program.push({ kind: 'character', code: slash });
      skip.to.push(skip.at + 1, this.#program.length);
    } else if (spans && endsName) {
      this.#program.push({ kind: 'any' });
      this.#loop({ kind: 'any' });
    } else {
      this.#loop({ kind: 'within name' });
    }
  }

  /** Adds an instruction that may be executed any number of times, including none. */
  #loop(instruction: Instruction): void {
    const enter = this.#jump();
    this.#program.push(instruction);
    const again = this.#jump();
    again.to.push(enter.at);
    enter.to.push(enter.at + 1, this.#program.length);
  }

  #jump(): { kind: 'jump'; to: number[]; at: number } {
    const jump = { kind: 'jump' as const, to: [] as number[], at: this.#program.length };
    this.#program.push(jump);
    return jump;
  }

  #alternatives(startsName: boolean): void {
    const fork = this.#jump();
    const ends = [];
    do {
      this.#at++;
      fork.to.push(this.#program.length);
      this.#sequence(startsName, true);
      ends.push(this.#jump());
    } while (this.#pattern[this.#at] === ',');
    this.#at++;
    for (const end of ends) end.to.push(this.#program.length);
  }

  /** Whether this brace is closed and has a comma inside: otherwise, as in a shell, `{x}` is literal. */
  #isAlternation(): boolean {
    let depth = 0;
    let commas = 0;
    for (let at = this.#at; at < this.#pattern.length; at++) {
      const character = this.#pattern[at];
      if (character === '\\') at++;
      else if (character === '[') at = this.#endOfClass(at) ?? at;
      else if (character === '{') depth++;
      else if (character === ',' && depth === 1) commas++;
      else if (character === '}' && --depth === 0) return commas > 0;
    }
    return false;
  }

  #class(): void {
    const end = this.#endOfClass(this.#at);
    if (end === undefined) return this.#literal();
    const negated = this.#pattern[this.#at + 1] === '!' || this.#pattern[this.#at + 1] === '^';
    const characters: { code: number; dash: boolean }[] = [];
    for (let at = this.#at + (negated ? 2 : 1); at < end; at++) {
      const isEscaped = this.#pattern[at] === '\\';
      if (isEscaped) at++;
      characters.push({
        code: this.#pattern[at]!.codePointAt(0)!,
        dash: !isEscaped && this.#pattern[at] === '-',
      });
    }
    const ranges: [number, number][] = [];
    for (let at = 0; at < characters.length; at++) {
      const isRange = characters[at + 1]?.dash && at + 2 < characters.length;
      ranges.push([characters[at]!.code, characters[isRange ? at + 2 : at]!.code]);
      if (isRange) at += 2;
    }
    this.#program.push({ kind: 'class', negated, ranges });
    this.#at = end + 1;
  }

  /** The position of the `]` that ends a class, if any. At the very beginning, `]` belongs to the class. */
  #endOfClass(start: number): number | undefined {
    let at = start + 1;
    if (this.#pattern[at] === '!' || this.#pattern[at] === '^') at++;
    for (let first = true; at < this.#pattern.length; at++, first = false) {
      if (this.#pattern[at] === '\\') at++;
      else if (this.#pattern[at] === '/') return undefined;
      else if (this.#pattern[at] === ']' && !first) return at;
    }
    return undefined;
  }
}
