import { explainCommit } from './prompts/explain-commit.ts';
import { resolveConflict } from './prompts/resolve-conflict.ts';
import { reviewChanges } from './prompts/review-changes.ts';
import { summariseSince } from './prompts/summarise-since.ts';
import { writeCommitMessage } from './prompts/write-commit-message.ts';

export const prompts = [writeCommitMessage, reviewChanges, explainCommit, summariseSince, resolveConflict];
