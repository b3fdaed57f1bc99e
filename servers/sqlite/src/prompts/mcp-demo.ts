import { definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { attached } from '../input/attached.ts';
import { uriOf } from '../input/database-uri.ts';

export const mcpDemo = definePrompt({
  name: 'mcp-demo',
  title: 'Demonstration',
  description: 'Tells a story about a topic that shows what this server can do, step by step.',

  inputSchema: z.object({ topic: z.string().describe('Topic of the story') }),

  async run({ topic }, { databases }: Sqlite) {
    const found = databases.all[0]!;
    return [
      userMessage(
        `Show me what this server can do, with a small business story about: ${topic}\n\n` +
          '1. Set the scene: a person, a problem, and the data that would help. Keep it short.\n' +
          '2. Make up tables and rows that fit, with write, if that tool is there; otherwise use the tables there are.\n' +
          '3. Pause, and let me choose between three questions about the data.\n' +
          '4. Answer with query, show the SQL and what it gave, and go on with the story.\n' +
          '5. Add what we find out with append_insight, each in one sentence.\n' +
          '6. After three rounds read memo://insights, and end the story with what it comes to.',
      ),
      attached(uriOf(found, 'schema'), await found.ask('schema', {})),
    ];
  },
});
