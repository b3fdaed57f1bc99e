// Skills that a server serves.
export { defineSkill, type Skill, type SkillOptions } from './serve/define-skill.ts';
export { serveSkills, type ServeSkillsOptions } from './serve/serve-skills.ts';
export type { SkillWatcher } from './serve/watch-skill.ts';

// Skills of a server, for clients.
export {
  getSkill,
  listSkills,
  maxSkillPages,
  readSkillDirectory,
  type RefusedEntry,
  type SkillList,
} from './client/list-skills.ts';
export { readSkill, readSkillFile, type ReadSkillOptions } from './client/read-skill.ts';
export { SkillError, type SkillProblem } from './client/skill-error.ts';

// What both ends have in common.
export type { Frontmatter, SkillEntry, SkillFile } from './entry.ts';
export {
  type Cacheable,
  type DirectoryChild,
  type DirectoryPage,
  skillsExtension,
  type SkillsPage,
} from './extension.ts';
export { checkEntry } from './check-entry.ts';
export { digestOf } from './digest.ts';
export { parseFrontmatter } from './frontmatter.ts';
export { skillLimits } from './limits.ts';
export { pathInSkill, rootOf } from './skill-uri.ts';
