import type { ToolSchema } from '../../property-schema.ts';

export interface Suggestion {
  readonly value: string;
  readonly help?: string | undefined;
}

/** A tool or a prompt, and the names of its arguments. */
export interface SuggestedItem extends Suggestion {
  readonly schema?: ToolSchema;
}

/** The prompt or the resource template that an argument belongs to. */
export type CompletionTarget = { readonly prompt: string } | { readonly resource: string };

/** Finds names for the completion. It answers fast: it leaves out names for which it would have to wait. */
export interface SuggestionSources {
  servers(): readonly Suggestion[];
  tools(server: string): Promise<readonly SuggestedItem[]>;
  prompts(server: string): Promise<readonly SuggestedItem[]>;
  /** The URIs of a server's listed resources; `templates` returns its resource templates. */
  resources(server: string): Promise<readonly Suggestion[]>;
  templates(server: string): Promise<readonly Suggestion[]>;
  /** The values that a server suggests for an argument of a prompt, or for a variable of a template. */
  values(
    server: string,
    target: CompletionTarget,
    argument: string,
    typed: string,
  ): Promise<readonly string[]>;
}
