import type { LanguageName } from './language-names.ts';
import type { FlatSymbol } from './outline.ts';

export interface WorkerOptions {
  /** The maximum memory of WebAssembly in bytes. */
  readonly maxMemory: number;
}

export interface ParseRequest {
  readonly text: string;
  readonly language: LanguageName;
  readonly maxSymbols: number;
}

/** The symbols of a text, or the reason why its parse failed. */
export type ParseResponse =
  | { readonly symbols: readonly FlatSymbol[]; readonly isCut: boolean; readonly hasErrors: boolean }
  | { readonly failure: string };
