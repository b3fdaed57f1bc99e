// What `mcp inspect` sends to its page. Types alone, which the page uses too.

/** A skill with its files. */
export type ShownSkill = {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly frontmatter: { readonly [key: string]: unknown };
  /** The files by their paths in the skill; of one whose content is dynamic, the `SKILL.md` alone. */
  readonly files: readonly {
    readonly uri: string;
    readonly path: string;
    readonly size?: number;
    readonly digest?: string;
  }[];
};

/** A file of a skill that was read. */
export interface ReadSkillFile {
  /** The text; undefined for a file that is not text, and for one that is not what its entry says. */
  readonly text?: string;
  /** Why the file is not verified; undefined if it has the size and the digest of its entry. */
  readonly problem?: string;
}

/** What the page needs to show a view. */
export interface ShownView {
  /** The path of the frame, which is there once. */
  readonly path: string;
  /** The attribute `allow` of the frame. */
  readonly allow: string;
  readonly prefersBorder: boolean;
  /** What is wrong with the settings of the view. */
  readonly notes: readonly string[];
}
