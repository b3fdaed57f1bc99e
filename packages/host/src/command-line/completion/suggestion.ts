import type { ToolSchema } from '../tool-arguments.ts';

/** A word that may stand where one is being typed. */
export interface Suggestion {
  readonly value: string;
  readonly help?: string | undefined;
}

/** A tool or a prompt, and the names of its arguments. */
export interface SuggestedItem extends Suggestion {
  readonly schema?: ToolSchema;
}

/** What an argument belongs to. */
export type CompletionTarget = { readonly prompt: string } | { readonly resource: string };

/** Where the completion finds names. Nothing here may take long; what is not known is empty. */
export interface SuggestionSources {
  servers(): readonly Suggestion[];
  tools(server: string): Promise<readonly SuggestedItem[]>;
  prompts(server: string): Promise<readonly SuggestedItem[]>;
  /** The URIs of resources, and the templates of others. */
  resources(server: string): Promise<readonly Suggestion[]>;
  templates(server: string): Promise<readonly Suggestion[]>;
  /** What a server suggests for an argument of a prompt, or for a variable of a template. */
  values(
    server: string,
    target: CompletionTarget,
    argument: string,
    typed: string,
  ): Promise<readonly string[]>;
}
