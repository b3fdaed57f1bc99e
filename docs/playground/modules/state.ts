export * from '@mcp/protocol/state';
