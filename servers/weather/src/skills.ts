import { join } from 'node:path';
import { defineSkill, serveSkills } from '@mcp/skills';

/** In the bundle, which is CommonJS, the skills are beside the program. */
const directory =
  import.meta.dirname === undefined ? join(__dirname, 'skills') : join(import.meta.dirname, '../skills');

/** The skills change with the package only, so clients may keep them for an hour. */
export const skills = serveSkills([defineSkill(join(directory, 'plan-a-trip'))], {
  cache: { ttlMs: 3_600_000, cacheScope: 'public' },
});
