/**
 * The limits of one skill that every host must accept, and that a skill should not exceed.
 * @see https://github.com/modelcontextprotocol/ext-skills (specification/stable/skills.mdx, "Limits")
 */
export const skillLimits = {
  /** Files, with `SKILL.md`. */
  files: 512,
  /** Bytes of all files together: 16 MiB. */
  bytes: 16 * 1024 * 1024,
} as const;

/** The maximum length of the frontmatter in UTF-16 code units: a hostile one is parsed in little time. */
export const maxFrontmatterLength = 64 * 1024;
