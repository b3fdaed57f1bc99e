// The function calling of vendors: tools for a request, calls in a message, results as messages.
export { vendorNames, vendors, type VendorName } from './vendors.ts';
export type {
  Arguments,
  CallOutcome,
  Note,
  ServerTool,
  SourceTool,
  ToolAddress,
  Vendor,
  VendorCall,
  VendorOptions,
  VendorTools,
} from './vendor.ts';

// Names of tools in the form that vendors accept.
export { mayNameToolOf, toolName, type NameRules } from './formats/tool-names.ts';

// Calls that a model writes as blocks into its text.
export { routeBlocks, type RoutedResult, type RouteTarget } from './blocks/route-blocks.ts';
export type { ResourceContents, ToolResult } from './blocks/result-text.ts';

// Schemas and result blocks, which both use; `@mcp/vendors/content` has functions for them.
export type { JsonSchema } from './content/json-schema.ts';
export type { ResultBlock } from './content/result-blocks.ts';
