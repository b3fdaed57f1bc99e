/** What is wrong with a skill: `entry` with its description, the others with its content. */
export type SkillProblem = 'entry' | 'unlisted' | 'dynamic' | 'content' | 'size' | 'digest' | 'frontmatter';

/** The error for a skill that a client must not use. */
export class SkillError extends Error {
  override readonly name = 'SkillError';
  readonly problem: SkillProblem;
  /** The URI of the skill or of its file. */
  readonly uri: string;

  constructor(problem: SkillProblem, uri: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
    this.uri = uri;
  }
}
