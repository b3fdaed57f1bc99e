import type { ListedTool } from '@mcp/protocol/client';
import { type SourceTool, type VendorName, vendors } from '@mcp/vendors';
import { lazyTools } from '../../gateway/catalog/lazy-tools.ts';

/** The name of a tool, and its definition as it is in each request to a model of a vendor. */
export interface Definition {
  readonly name: string;
  /** JSON without white space. */
  readonly text: string;
}

/** The definitions of a server's tools in the format of a vendor. */
export function definitionsOf(
  server: string,
  tools: readonly ListedTool[],
  vendor: VendorName,
): readonly Definition[] {
  return tools.map((tool) => {
    const { tools: converted } = vendors[vendor].toTools([{ server, tool: tool as SourceTool }]);
    return { name: tool.name, text: converted.map((each) => JSON.stringify(each)).join() };
  });
}

/** The definitions of the tools that `mcp serve --lazy` shows. */
export function lazyDefinitions(vendor: VendorName): readonly Definition[] {
  return definitionsOf('mcp', lazyTools, vendor);
}
