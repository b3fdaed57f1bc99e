// The databases. Their files are resolved once, and are read and written in child processes.
export { resolveFiles, type DatabaseFile, type FileOptions, type ServerFiles } from './database-files.ts';
export { Databases, type DatabasesOptions } from './databases.ts';
export { temporaryCopy } from './temporary-copy.ts';
export { Database, type DatabaseLimits, type ExportPiece, type RunOptions } from './database.ts';
export { DatabaseProcesses } from './pool/database-processes.ts';
export type { Cancellable, JobResult } from './pool/job.ts';
export type { Answer, Arguments, Operations, StreamArguments } from './worker/operations.ts';

// Types for reading: rows, tables, query plans and matches.
export type { QueryRequest } from './engine/result-rows.ts';
export { type Filter, filterOperators, type Refinement } from './refinement.ts';
export type { SqlParameters } from './sql/bind-parameters.ts';
export type { Column } from './engine/schema/columns.ts';
export type { TableDescription } from './engine/schema/describe-table.ts';
export type { SchemaDescription, TableSchema } from './engine/schema/describe-schema.ts';
export type { RelatedTable, Relations } from './engine/schema/describe-relations.ts';
export type { TableList } from './engine/schema/list-tables.ts';
export type { TableSummary } from './engine/schema/tables.ts';
export type { Explanation } from './engine/explain-query.ts';
export type { PlanStep } from './engine/advise-indexes.ts';
export type { ColumnProfile, TableProfile } from './engine/profile-table.ts';
export type { Matches } from './engine/search-tables.ts';

// For writing: what statements have changed, what they would lose, and how to undo them.
export type {
  ConfirmedChange,
  StatementResult,
  WriteRequest,
  WriteResult,
  WriteStatement,
} from './engine/writing/write-statements.ts';
export type { Loss } from './engine/writing/detect-loss.ts';
export { questionOfLoss, type LossQuestion } from './question-of-loss.ts';

// Types for files: imports, exports, backups and insights.
export type { ImportResult } from './engine/import-file.ts';
export type { ImportDirectory } from './import-directory.ts';
export type { ExportDirectory, ExportedFile } from './export-directory.ts';
export type { Insights } from './insights.ts';

// Notifications of changes to a database by any process.
export type { ChangeWatcher } from './watch/change-watcher.ts';

export { beginningOf, DatabaseError, isTransient, Refused } from './errors.ts';
export type { Failure, FailureReason, Hints } from './errors.ts';

// Queries that the operator wrote into a file.
export { QueriesError, readQueries, type ReservedNames } from './queries/read-queries.ts';
export { faultOfValue, type QueryParameter, type StoredQuery } from './queries/stored-query.ts';
