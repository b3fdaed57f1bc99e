/** A command in a document, and its output. */
export interface Session {
  readonly command: string;
  readonly output: string;
  /** A command that is run when `mcp watch` is ready. */
  readonly meanwhile: string | undefined;
}

/** The commands of the `console` blocks of a Markdown document, in their order. */
export function sessionsOf(markdown: string): Session[] {
  const blocks = markdown.matchAll(
    /(?:<!-- while it runs: (?<meanwhile>.+) -->\s*)?```console\n(?<text>[\s\S]*?)```/g,
  );
  return Array.from(blocks).flatMap(({ groups }) =>
    groups!
      ['text']!.split(/^\$ /m)
      .slice(1)
      .map((each) => {
        const [command = '', ...output] = each.split('\n');
        return { command, output: output.join('\n').trimEnd(), meanwhile: groups!['meanwhile'] };
      }),
  );
}
