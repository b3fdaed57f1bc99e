import { expect, test } from 'vitest';
import { HostError } from '../errors.ts';
import { parseDocument } from './formats/parse-document.ts';

const json = `\uFEFF{
  // the servers of a project
  "mcpServers": {
    "files": { "command": "node", "args": ["a.js", "\\u00e9\\n"], "env": { "A": "\${B:-c}" }, "timeout": 1.5e3 },
  },
}
`;
const toml = `# servers
[mcp_servers."my files"]
command = "node"
args = ["a.js", 'b', """c
d"""]
env = { A = "b", at = 2026-08-01T10:00:00Z }
startup_timeout_sec = 1_000
`;

test.each([
  ['json', json],
  ['toml', toml],
] as const)(
  'a %s file that is cut off anywhere is read, or an error with line, column and offset',
  (language, text) => {
    let errors = 0;
    for (let length = 1; length < text.length; length++) {
      const half = text.slice(0, length);
      try {
        parseDocument('/f', half, language);
      } catch (error) {
        expect(error).toBeInstanceOf(HostError);
        const found = /^Cannot read "\/f", line (\d+), column (\d+) \(offset (\d+)\): /.exec(
          (error as Error).message,
        );
        expect(found, half).not.toBeNull();
        expect(Number(found![3])).toBeLessThanOrEqual(length);
        errors++;
      }
    }
    expect(errors).toBeGreaterThan(50);
    expect(parseDocument('/f', text, language).root).toBeTypeOf('object');
  },
);
