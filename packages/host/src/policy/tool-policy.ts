import { escapeText, isObject, quoted, type TokenBuckets } from '@mcp/kit';
import type { ListedTool } from '@mcp/protocol/client';
import type { ArgumentRule, PolicyRule } from './policy.ts';
import { isAllowed, shownSchema } from './shown-schema.ts';

export interface LimitedRule extends PolicyRule {
  /** The calls that count for the rate of the rule. */
  readonly buckets: TokenBuckets | undefined;
}

type JsonObject = { readonly [key: string]: unknown };

/** A call that a policy allows, with the arguments for the server, or why it refuses the call. */
export type Checked = { readonly args: JsonObject } | { readonly refused: string };

/** What the rules say of one tool for one caller. */
export class ToolPolicy {
  readonly #rules: readonly LimitedRule[];
  readonly #tool: { readonly server: string; readonly name: string; readonly caller: string };
  readonly #arguments: Readonly<Record<string, ArgumentRule>>;

  constructor(
    rules: readonly LimitedRule[],
    tool: { readonly server: string; readonly name: string; readonly caller: string },
  ) {
    this.#rules = rules;
    this.#tool = tool;
    // The first rule with an argument counts.
    this.#arguments = Object.assign({}, ...rules.map((rule) => rule.arguments).toReversed()) as Readonly<
      Record<string, ArgumentRule>
    >;
  }

  get isHidden(): boolean {
    return this.#first('hide') ?? false;
  }

  /** The name of the tool for clients. */
  get name(): string {
    return this.#first('rename') ?? this.#tool.name;
  }

  get maxResultBytes(): number {
    return this.#first('maxResultBytes') ?? Infinity;
  }

  /** The question for the user before a call; undefined if none is asked. */
  question(args: JsonObject): string | undefined {
    const confirm = this.#first('confirm') ?? false;
    if (confirm === false) return undefined;
    const { server, name } = this.#tool;
    const text =
      confirm === true ? `May ${quoted(name)} of the server ${quoted(server)} be called?` : confirm;
    return `${text}\n${shownArguments(args)}`;
  }

  /** Whether a call must be confirmed, whatever its arguments are. */
  get asks(): boolean {
    return (this.#first('confirm') ?? false) !== false;
  }

  /** The tool as clients see it, under the name that its server gives it. */
  shown(tool: ListedTool): ListedTool {
    const title = this.#first('title');
    const description = this.#first('describe');
    return {
      ...tool,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      inputSchema: shownSchema(tool.inputSchema, this.#arguments),
    };
  }

  /** The arguments for the server. `counts` says whether the call counts for the rates of the rules. */
  check(given: unknown, { counts }: { readonly counts: boolean }): Checked {
    const args = isObject(given) ? given : {};
    const most = this.#first('maxArgumentBytes') ?? Infinity;
    const bytes = most === Infinity ? 0 : Buffer.byteLength(JSON.stringify(args));
    if (bytes > most)
      return { refused: `The arguments have ${bytes} bytes, and at most ${most} are allowed` };
    const rewritten = this.#rewritten(args);
    if ('refused' in rewritten || !counts) return rewritten;
    if (this.asks && shownArguments(rewritten.args).length > maxShown)
      return { refused: 'Its user must confirm this call, and its arguments are too many to be shown' };
    const waitMs = this.#rules.find(({ buckets }) => buckets)?.buckets?.take(this.#tool.caller) ?? 0;
    if (waitMs > 0) return { refused: `Too many calls; try again in ${Math.ceil(waitMs / 1_000)} s` };
    return rewritten;
  }

  #rewritten(args: JsonObject): Checked {
    const own = new Map(Object.entries(args));
    const rules = Object.entries(this.#arguments);
    for (const [name, { rename, value }] of rules) {
      const isHidden = rename !== undefined || value !== undefined;
      if (isHidden && own.has(name) && !rules.some(([, other]) => other.rename === name))
        return { refused: `Unknown argument "${name}"${rename === undefined ? '' : `; it is "${rename}"`}` };
    }
    const result = new Map(own);
    for (const [, { rename }] of rules) if (rename !== undefined) result.delete(rename);
    for (const [name, rule] of rules) {
      const { rename = name, value, default: usual, allow } = rule;
      if (value) result.set(name, value.json);
      else if (own.has(rename)) {
        if (allow && !isAllowed(own.get(rename), allow))
          return { refused: `Invalid "${rename}"; expected one of ${JSON.stringify(allow).slice(1, -1)}` };
        result.set(name, own.get(rename));
      } else if (usual) result.set(name, usual.json);
    }
    return { args: Object.fromEntries(result) };
  }

  #first<K extends keyof PolicyRule>(key: K): PolicyRule[K] {
    return this.#rules.find((rule) => rule[key] !== undefined)?.[key] as PolicyRule[K];
  }
}

/** The maximum number of characters of the arguments in a question, and of one text in them. */
const [maxShown, maxText] = [10_000, 400];

/** All arguments for a question: only the middle of a long text is left out, with its length in its place. */
function shownArguments(args: JsonObject): string {
  const shown = (_key: string, value: unknown): unknown =>
    typeof value === 'string' && value.length > maxText
      ? `${value.slice(0, maxText / 2)}… (${value.length} characters) …${value.slice(-maxText / 2)}`
      : value;
  return escapeText(JSON.stringify(args, shown));
}
