/** The name of the instrumentation scope of all spans and metrics. */
export const scope = '@mcp/protocol';
