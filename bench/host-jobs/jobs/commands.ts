// The words that the commands of two peers begin with: their sessions and their options.

/** Opens a session of mcpc with a server of Cursor. */
export const connect = 'mcpc connect ~/.cursor/mcp.json:everything @everything';

/** A request of the Inspector to a server of Cursor. */
export const inspect = (method: string, server = 'everything') =>
  `mcp-inspector --cli -q --config ~/.cursor/mcp.json --server ${server} --method ${method}`;

/** A call of a tool by the Inspector. */
export const inspectTool = (tool: string) => inspect(`tools/call --tool-name ${tool}`);

/** A request of the Inspector to a URL. */
export const adHoc = (url: string) => `mcp-inspector --cli -q --transport http --server-url ${url}`;
