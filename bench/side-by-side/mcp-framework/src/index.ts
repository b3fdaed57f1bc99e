import { MCPServer } from 'mcp-framework';

const server = new MCPServer({ name: 'todo', version: '1.0.0', basePath: import.meta.dirname });
await server.start();
