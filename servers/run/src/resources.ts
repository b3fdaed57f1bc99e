import { output } from './resources/output.ts';
import { result } from './resources/result.ts';

export const resources = [result, output];
