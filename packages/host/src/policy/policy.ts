/** What a policy does with one argument of a tool. */
export interface ArgumentRule {
  /** The value of each call, which the caller does not give. */
  readonly value?: { readonly json: unknown } | undefined;
  /** The value of a call that has none. */
  readonly default?: { readonly json: unknown } | undefined;
  /** The only values that a caller may give. */
  readonly allow?: readonly unknown[] | undefined;
  /** The name of the argument for callers. */
  readonly rename?: string | undefined;
  readonly describe?: string | undefined;
}

/** At most so many calls in a time, for each caller. */
export interface CallRate {
  readonly calls: number;
  readonly seconds: number;
}

/**
 * One rule. Names are patterns, in which `*` is any characters. A rule is for the calls that match all four
 * lists; an undefined list matches each.
 */
export interface PolicyRule {
  readonly server?: readonly string[] | undefined;
  readonly tool?: readonly string[] | undefined;
  /** Names of clients, as they name themselves. */
  readonly client?: readonly string[] | undefined;
  /** The principals of the tokens of callers; a caller without a token matches none. */
  readonly principal?: readonly string[] | undefined;
  readonly hide?: boolean | undefined;
  readonly rename?: string | undefined;
  readonly title?: string | undefined;
  readonly describe?: string | undefined;
  /** Whether the user must confirm each call; a text is the question. */
  readonly confirm?: boolean | string | undefined;
  readonly arguments: Readonly<Record<string, ArgumentRule>>;
  readonly rate?: CallRate | undefined;
  readonly maxArgumentBytes?: number | undefined;
  readonly maxResultBytes?: number | undefined;
}

/** What a gateway allows, as a file says it. Of several rules for a tool, the first one with a key counts. */
export interface Policy {
  readonly file: string;
  readonly rules: readonly PolicyRule[];
  /** Names of servers, by the name of their group. */
  readonly sets: Readonly<Record<string, readonly string[]>>;
  readonly audit?: AuditSettings | undefined;
}

export interface AuditSettings {
  /** The absolute path of the file to which a line is added for each call. */
  readonly file: string;
  /** Whether the lines have the arguments of calls. */
  readonly values: boolean;
}
