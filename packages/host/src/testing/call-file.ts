import type { Path } from '@mcp/kit/jsonc';
import type { HostHandlers } from '@mcp/protocol/client';
import type { PickStep } from '../command-line/result-options.ts';
import type { Position } from './yaml-document.ts';

/** A file of calls for `mcp test`. */
export interface CallFile {
  /** The path as the user gave it. */
  readonly file: string;
  readonly steps: readonly Step[];
  positionOf(path: Path): Position;
}

/** One call, what its result must be, and what later steps take from it. */
export interface Step {
  readonly name: string;
  readonly call: Call;
  /** The oldest revision at which the call is made; undefined for all. */
  readonly since: string | undefined;
  /** The answers to what the server asks the user during the call, in their order. */
  readonly answers: readonly ElicitAnswer[];
  readonly expected: Expected;
  readonly save: readonly Saved[];
  /** Where the step is in its file. */
  readonly path: Path;
}

/** What the user answers to a question of the server. */
export type ElicitAnswer = Awaited<ReturnType<NonNullable<HostHandlers['elicit']>>>;

type Values = { readonly [name: string]: unknown };

export type Call =
  | { readonly tool: string; readonly arguments: Values }
  | { readonly resource: string }
  | { readonly prompt: string; readonly arguments: Values }
  | {
      /** The name of a prompt, or a URI template. */
      readonly complete: string;
      readonly argument: string;
      readonly typed: string;
      /** The values of the other arguments. */
      readonly arguments: Values;
    };

/** The parts of an answer that checks are about. */
export const parts = ['text', 'structuredContent', 'result'] as const;

export type Part = (typeof parts)[number];

export interface Expected {
  /** Whether the call fails; a number is the code of its JSON-RPC error. */
  readonly error: boolean | number;
  readonly checks: readonly Check[];
  readonly maxMs: number | undefined;
  readonly maxBytes: number | undefined;
  readonly path: Path;
}

/** One assertion about a part of an answer, or about what `at` selects of it. */
export interface Check {
  readonly part: Part;
  readonly at: readonly PickStep[];
  readonly test: Assertion;
  readonly path: Path;
}

export type Assertion =
  | { readonly equals: unknown }
  | { readonly contains: unknown }
  | { readonly matches: RegExp }
  /** Returns what is wrong with a value; undefined if nothing is. */
  | { readonly schema: (value: unknown) => string | undefined };

/** A value that later steps use as `${name}`: a part of the result, or the first group in its text. */
export interface Saved {
  readonly name: string;
  readonly from: readonly PickStep[] | RegExp;
  readonly path: Path;
}
