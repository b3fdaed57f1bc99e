import type { ReadTimes } from '@mcp/views/model';

export const readTimes: ReadTimes = { gapMs: 5_000, everyMs: 60_000 };
