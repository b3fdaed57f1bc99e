import { serveSkills } from '@mcp/skills';

/** The skills of a server in the playground: none, because they are directories. */
export const skills = serveSkills([]);
