import { TokenBuckets } from '@mcp/kit';
import { matchesName } from '../matches-name.ts';
import type { Policy, PolicyRule } from './policy.ts';
import { type LimitedRule, ToolPolicy } from './tool-policy.ts';

/** A client of the gateway, as rules name it. */
export interface Caller {
  /** The name that the client gives itself. */
  readonly client: string | undefined;
  /** The principal of its token; undefined without authorization. */
  readonly principal: string | undefined;
}

/** The rules of a gateway, with the calls that its callers have made. */
export class Policies {
  readonly #rules: readonly LimitedRule[];

  constructor({ rules }: Pick<Policy, 'rules'>) {
    this.#rules = rules.map((rule) => {
      const { calls: burst = 1, seconds = 1 } = rule.rate ?? {};
      const rate = { burst, refillMs: (seconds * 1_000) / burst };
      return { ...rule, buckets: rule.rate && new TokenBuckets(rate) };
    });
  }

  of(caller: Caller): CallerPolicy {
    const rules = this.#rules.filter(
      ({ client, principal }) => matches(caller.client, client) && matches(caller.principal, principal),
    );
    return new CallerPolicy(rules, caller);
  }
}

/** The rules for one caller. */
export class CallerPolicy {
  readonly #rules: readonly LimitedRule[];
  readonly #key: string;

  constructor(rules: readonly LimitedRule[], { client, principal }: Caller) {
    this.#rules = rules;
    this.#key = JSON.stringify(principal === undefined ? { client } : { principal });
  }

  /** What applies to a tool, by the name that its server gives it; undefined if nothing does. */
  tool(server: string, name: string): ToolPolicy | undefined {
    const rules = this.#rules.filter((rule) => matches(server, rule.server) && matches(name, rule.tool));
    return rules.length === 0 ? undefined : new ToolPolicy(rules, { server, name, caller: this.#key });
  }
}

function matches(name: string | undefined, patterns: PolicyRule['server']): boolean {
  return !patterns || (name !== undefined && patterns.some((pattern) => matchesName(name, pattern)));
}
