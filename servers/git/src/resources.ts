import { blob } from './resources/blob.ts';
import { branches } from './resources/branches.ts';
import { commit } from './resources/commit.ts';
import { diffStaged } from './resources/diff-staged.ts';
import { diffUnstaged } from './resources/diff-unstaged.ts';
import { head } from './resources/head.ts';
import { log } from './resources/log.ts';
import { status } from './resources/status.ts';
import { tags } from './resources/tags.ts';

export const resources = [status, head, log, branches, tags, diffStaged, diffUnstaged, commit, blob];
