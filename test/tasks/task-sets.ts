import { filesystem } from './filesystem.ts';
import { git } from './git.ts';
import { sqlite } from './sqlite.ts';
import type { TaskSet } from './task.ts';
import { weather } from './weather.ts';

/** The tasks of each server, by its directory in `servers/`. */
export const taskSets: Readonly<Record<string, TaskSet>> = { filesystem, git, sqlite, weather };
