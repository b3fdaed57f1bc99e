import { type SourceTool, vendors } from '@mcp/vendors';
import type { ListItems } from '../servers/lists.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, warning } = findingsOf('cost');

/** Tokens of all tools above which they leave little of a model's context. */
const maxTokens = 10_000;

/** How many of the dearest tools are named. */
const named = 3;

/** Estimates the tokens of the tools in each request to a model, and names the dearest. */
export function checkCost(tools: readonly ListItems['tools'][]): Finding | undefined {
  if (tools.length === 0) return undefined;
  const costs = tools
    .map((tool) => ({ name: tool.name, tokens: costOf(tool) }))
    .toSorted((a, b) => b.tokens - a.tokens);
  const tokens = costs.reduce((sum, each) => sum + each.tokens, 0);
  const dearest = costs.slice(0, named).map((each) => `${each.name} ${each.tokens}`);
  const message = `about ${tokens} tokens in each request to a model; the dearest: ${dearest.join(', ')}`;
  const data = { tokens, tools: costs };
  if (tokens <= maxTokens) return ok(message, data);
  return warning(
    message,
    'shorten their descriptions and schemas, hide tools with "blockedTools" of the entry, or serve the server with mcp serve --lazy',
    data,
  );
}

/** The tokens of a tool as OpenAI's requests have it; those of other vendors differ little. */
function costOf(tool: ListItems['tools']): number {
  try {
    const { tools } = vendors.openai.toTools([{ server: 's', tool: tool as SourceTool }]);
    return estimateTokens(JSON.stringify(tools));
  } catch {
    // The check of schemas reports a tool that the vendor cannot express.
    return estimateTokens(JSON.stringify(tool));
  }
}
