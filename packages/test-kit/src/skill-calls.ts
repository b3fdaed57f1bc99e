import { readFileSync } from 'node:fs';

export interface SkillCall {
  readonly name: string;
  readonly arguments: { readonly [name: string]: unknown };
}

/** The calls of tools in the text of a skill, in their order: each is a block of JSON. */
export function skillCalls(file: URL): readonly SkillCall[] {
  const text = readFileSync(file, 'utf8');
  return Array.from(
    text.matchAll(/^```json\n(.*?)^```$/gms),
    ([, json = '']) => JSON.parse(json) as SkillCall,
  );
}
