export * from '@mcp/protocol';
