import { defineTool } from '@mcp/protocol';
import { extension } from './task-server.ts';

export const hello = defineTool({ name: 'hello', description: 'Greets.', run: () => 'Hello' });

export const missing = {
  code: -32021,
  message: `The request requires the client capability "${extension}"`,
  data: { requiredCapabilities: { extensions: { [extension]: {} } } },
};

export const unknown = { code: -32602, message: 'Unknown or expired "taskId"' };
