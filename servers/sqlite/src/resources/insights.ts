import { defineResource } from '@mcp/protocol';
import type { Sqlite } from '../context.ts';

/** What was found out, as JSON Lines: {"insight", "at"}. */
export const insights = defineResource({
  uri: 'memo://insights',
  name: 'insights',
  title: 'Insights',
  description: 'What was found out with append_insight, by this server or another, as JSON Lines.',
  mimeType: 'application/jsonl',

  read: (_, { databases }: Sqlite) => databases.insights.read(),
  async watch(_, changed, { databases }: Sqlite) {
    const stops = await Promise.all(
      databases.insights.files.map((path) => databases.watcher.watchFile(path, changed)),
    );
    return () => stops.forEach((stop) => stop());
  },
});
