import { explainFile } from './prompts/explain-file.ts';
import { reviewFile } from './prompts/review-file.ts';
import { summarizeDirectory } from './prompts/summarize-directory.ts';

export const prompts = [explainFile, reviewFile, summarizeDirectory];
