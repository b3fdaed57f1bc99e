import { closestNames, quoted } from '@mcp/kit';

/** The endings of the names of files of each type. The names of types are those of ripgrep. */
const endings = new Map<string, readonly string[]>([
  ['ts', ['.ts', '.tsx', '.mts', '.cts']],
  ['js', ['.js', '.jsx', '.mjs', '.cjs']],
  ['py', ['.py', '.pyi']],
  ['go', ['.go']],
  ['rust', ['.rs']],
  ['java', ['.java']],
  ['kotlin', ['.kt', '.kts']],
  ['c', ['.c', '.h']],
  ['cpp', ['.cpp', '.cc', '.cxx', '.hpp', '.hh', '.hxx', '.h']],
  ['cs', ['.cs']],
  ['swift', ['.swift']],
  ['ruby', ['.rb']],
  ['php', ['.php']],
  ['sh', ['.sh', '.bash', '.zsh']],
  ['html', ['.html', '.htm']],
  ['css', ['.css', '.scss', '.sass', '.less']],
  ['vue', ['.vue']],
  ['svelte', ['.svelte']],
  ['sql', ['.sql']],
  ['md', ['.md', '.markdown', '.mdx']],
  ['json', ['.json', '.jsonc', '.jsonl']],
  ['yaml', ['.yaml', '.yml']],
  ['toml', ['.toml']],
  ['xml', ['.xml', '.svg']],
  ['txt', ['.txt']],
]);

/** Other names of types. */
const synonyms = new Map([
  ['typescript', 'ts'],
  ['tsx', 'ts'],
  ['javascript', 'js'],
  ['jsx', 'js'],
  ['python', 'py'],
  ['golang', 'go'],
  ['rs', 'rust'],
  ['kt', 'kotlin'],
  ['c++', 'cpp'],
  ['csharp', 'cs'],
  ['rb', 'ruby'],
  ['bash', 'sh'],
  ['shell', 'sh'],
  ['markdown', 'md'],
  ['yml', 'yaml'],
]);

/** Returns the endings of the names of files of a type such as `ts`. Throws for an unknown type. */
export function endingsOf(type: string): readonly string[] {
  const name = type.toLowerCase().replace(/^\./, '');
  const known = endings.get(synonyms.get(name) ?? name);
  if (known) return known;
  const [nearest] = closestNames(name, [...endings.keys(), ...synonyms.keys()]);
  const hint = nearest === undefined ? '' : `; the nearest is ${nearest}`;
  const names = [...endings.keys()].join(', ');
  throw new Error(`Unknown type: ${quoted(type)}${hint}; known are ${names}; for others, give a glob`);
}
