export * from '@mcp/protocol/wrap';
