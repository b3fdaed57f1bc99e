/** The frontmatter of a `SKILL.md` as JSON. */
export type Frontmatter = {
  readonly name: string;
  readonly description: string;
  readonly [field: string]: unknown;
};

/** One file of a skill. */
export type SkillFile = {
  readonly uri: string;
  /** `sha256:` and 64 lowercase hexadecimal digits, of the bytes of the file. */
  readonly digest: string;
  /** The number of bytes. */
  readonly size: number;
};

/** A skill as a server describes it: its files with their digests, all of them. */
export type SkillEntry = {
  /** The URI of the `SKILL.md`. */
  readonly uri: string;
  readonly frontmatter: Frontmatter;
  /** The files with `SKILL.md`; or `dynamic`, if the server generates them: they cannot be verified. */
  readonly resources: readonly SkillFile[] | 'dynamic';
};
