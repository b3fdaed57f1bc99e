import { pathInSkill, rootOf, type SkillEntry, type SkillFile } from '@mcp/skills';

/** The contents of the files of a skill, by their paths. */
export type Contents = ReadonlyMap<string, Uint8Array>;

/** The files of a skill; none for one whose content is dynamic. */
export function filesOf({ resources }: SkillEntry): readonly SkillFile[] {
  return resources === 'dynamic' ? [] : resources;
}

/** The path of a file in its skill, with `/` between the names. */
export function pathOf({ uri: skill }: SkillEntry, uri: string): string {
  return pathInSkill(rootOf(skill) ?? skill, uri).join('/');
}

/** The URI of a file by its path in the skill. */
export function uriOf({ uri }: SkillEntry, path: string): string {
  return [rootOf(uri), ...path.split('/').map(encodeURIComponent)].join('/');
}

/** The number of bytes of all files of a skill; 0 for one whose content is dynamic. */
export function totalSize(skill: SkillEntry): number {
  return filesOf(skill).reduce((sum, { size }) => sum + size, 0);
}

/** A number of bytes for a person, such as `12.3 kB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
