import type { Job } from './job.ts';
import { callJobs } from './jobs/call.ts';
import { lookJobs } from './jobs/look.ts';
import { workJobs } from './jobs/work.ts';

export const jobs: readonly Job[] = [...lookJobs, ...callJobs, ...workJobs];
