import type { VendorName } from '@mcp/vendors';
import type { CachedTools } from '../../servers/server-lists.ts';
import type { Servers } from '../../servers/servers.ts';
import type { Counting } from './counting.ts';
import { type Definition, definitionsOf, lazyDefinitions } from './definitions.ts';
import type { Counts } from './token-counts.ts';

export interface ToolCost {
  readonly name: string;
  readonly tokens: number;
}

/** The cost of a server in each request, from the list of tools that was read last. */
export interface ServerCost {
  readonly server: string;
  readonly tools: readonly ToolCost[];
  /** The tokens of `tools` together. */
  readonly tokens: number;
  /** The tools that a filter hides, or that are withheld because they have changed. */
  readonly hidden: { readonly tools: number; readonly tokens: number };
  /** When the list was read, in milliseconds since 1970. */
  readonly at: number;
}

/** A server without a cached list; `error` is the fault of its entry, if the entry has one. */
export interface NotCounted {
  readonly server: string;
  readonly error?: Error;
}

export interface Cost {
  readonly counting: Counting;
  readonly servers: readonly ServerCost[];
  /** The servers whose tools are not counted. */
  readonly notCounted: readonly NotCounted[];
  readonly tools: number;
  readonly tokens: number;
  readonly hidden: { readonly tools: number; readonly tokens: number };
  /** The tokens of the tools that `mcp serve --lazy` shows in place of all others. */
  readonly lazy: { readonly tools: number; readonly tokens: number };
}

export interface MeasureOptions {
  readonly names: readonly string[];
  readonly vendor: VendorName;
  readonly count: (definitions: readonly Definition[]) => Counts;
}

/** Measures the tools of servers from their cached lists; starts none. */
export async function measureCost(servers: Servers, options: MeasureOptions): Promise<Cost> {
  const { names, vendor, count } = options;
  const cached = await Promise.all(names.map((name) => cachedOf(name, servers)));
  const lazy = count(lazyDefinitions(vendor));
  const measured = cached.flatMap((each) => ('all' in each ? [costOf(each, options)] : []));
  const countings = [lazy.counting, ...measured.map(({ counting }) => counting)];
  const costs = measured.map(({ cost }) => cost);
  return {
    counting: countings.includes('bytes') ? 'bytes' : 'o200k_base',
    servers: costs,
    notCounted: cached.flatMap((each) => ('all' in each ? [] : [each])),
    tools: sum(costs.map(({ tools }) => tools.length)),
    tokens: sum(costs.map(({ tokens }) => tokens)),
    hidden: {
      tools: sum(costs.map(({ hidden }) => hidden.tools)),
      tokens: sum(costs.map(({ hidden }) => hidden.tokens)),
    },
    lazy: { tools: lazy.tokens.length, tokens: sum(lazy.tokens) },
  };
}

async function cachedOf(
  server: string,
  servers: Servers,
): Promise<NotCounted | ({ readonly server: string } & CachedTools)> {
  try {
    return { server, ...(await servers.cachedTools(server)) };
  } catch (error) {
    return { server, error: error as Error };
  }
}

function costOf(
  { server, all, shown, cachedAt }: { readonly server: string } & CachedTools,
  { vendor, count }: MeasureOptions,
) {
  const { counting, tokens } = count(definitionsOf(server, all, vendor));
  const counted = all.map((tool, index) => ({ tool, tokens: tokens[index] ?? 0 }));
  const isShown = new Set(shown);
  const tools = counted
    .filter(({ tool }) => isShown.has(tool))
    .map((each) => ({ name: each.tool.name, tokens: each.tokens }));
  const hidden = counted.filter(({ tool }) => !isShown.has(tool)).map((each) => each.tokens);
  const cost: ServerCost = {
    server,
    tools,
    tokens: sum(tools.map((each) => each.tokens)),
    hidden: { tools: hidden.length, tokens: sum(hidden) },
    at: cachedAt,
  };
  return { counting, cost };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
