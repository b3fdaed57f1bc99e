// Function calling of model vendors: makes the tools for a request, reads the calls in a message, and makes
// the messages with their results.
export { type VendorName, vendorNames } from './vendor-names.ts';
export { vendors } from './vendors.ts';
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

// The names of tools, in a form that vendors accept.
export { mayNameToolOf, toolName, type NameRules } from './formats/tool-names.ts';

// The calls that a model writes as blocks in its text.
export { routeBlocks, type RoutedResult, type RouteTarget } from './blocks/route-blocks.ts';
export type { ResourceContents, ToolResult } from './blocks/result-text.ts';

// The types of schemas and result blocks; the functions for them are in `@mcp/vendors/content`.
export type { JsonSchema } from './content/json-schema.ts';
export type { ResultBlock } from './content/result-blocks.ts';
