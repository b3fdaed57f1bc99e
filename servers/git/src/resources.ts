import { blob } from './resources/blob.ts';
import { commit } from './resources/commit.ts';
import { states } from './resources/states.ts';

export const resources = [...states, commit, blob];
