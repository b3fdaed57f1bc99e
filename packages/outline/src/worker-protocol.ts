import type { LanguageName } from './language-names.ts';
import type { FlatSymbol } from './outline.ts';

/** What the thread is started with. */
export interface WorkerOptions {
  /** The most memory of WebAssembly in bytes. */
  readonly maxMemory: number;
}

/** A text that the worker parses. */
export interface ParseRequest {
  readonly text: string;
  readonly language: LanguageName;
  readonly maxSymbols: number;
}

/** The symbols of a text, or why there are none. */
export type ParseResponse =
  | { readonly symbols: readonly FlatSymbol[]; readonly isCut: boolean; readonly hasErrors: boolean }
  | { readonly failure: string };
