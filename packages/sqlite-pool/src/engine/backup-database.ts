import { statSync } from 'node:fs';
import type { Connection } from './connection.ts';

export interface BackupProgress {
  readonly done: number;
  readonly total: number;
}

/** Number of pages copied in one step. In rollback mode, others can write only between two steps. */
const stepPages = 500;
/** When another process writes, a backup starts again. After this many restarts, one step copies the rest. */
const maxRestarts = 3;
const allPages = 0x7fffffff;

/**
 * Copies the database to a file with SQLite's online backup. The copy has the state of one commit: in WAL
 * mode the last commit before the backup begins, in rollback mode the last commit before it ends.
 */
export async function backupDatabase(
  connection: Connection,
  { file }: { readonly file: string },
  onProgress: (progress: BackupProgress) => void,
): Promise<{ readonly mode: number }> {
  const database = connection.refresh();
  // In rollback mode, a snapshot would keep others from writing until the backup ends.
  if (database.pragma('journal_mode', { simple: true }) !== 'wal') connection.endSnapshot();
  let restarts = 0;
  let remaining = Number.POSITIVE_INFINITY;
  await database.backup(file, {
    progress({ totalPages, remainingPages }) {
      if (remainingPages > remaining) restarts++;
      remaining = remainingPages;
      onProgress({ done: totalPages - remainingPages, total: totalPages });
      return restarts < maxRestarts ? stepPages : allPages;
    },
  });
  connection.endSnapshot();
  return { mode: statSync(connection.path).mode & 0o777 };
}
