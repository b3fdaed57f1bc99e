import { explainResult } from './prompts/explain-result.ts';
import { fixFailures } from './prompts/fix-failures.ts';

export const prompts = [fixFailures, explainResult];
