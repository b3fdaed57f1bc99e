import type { Environment } from './environment.ts';

/** How a terminal shows images. */
export type ImageProtocol = 'kitty' | 'iterm' | 'sixel';

const protocols: readonly ImageProtocol[] = ['kitty', 'iterm', 'sixel'];

/** Terminals by their `TERM_PROGRAM`. */
const programs: Readonly<Record<string, ImageProtocol>> = {
  ghostty: 'kitty',
  'iTerm.app': 'iterm',
  WezTerm: 'iterm',
  mintty: 'iterm',
};

/** Terminals by their `TERM`. */
const terminals: Readonly<Record<string, ImageProtocol>> = {
  'xterm-kitty': 'kitty',
  'xterm-ghostty': 'kitty',
  foot: 'sixel',
  'foot-extra': 'sixel',
  mlterm: 'sixel',
  'yaft-256color': 'sixel',
};

/**
 * The protocol that the environment shows; undefined where it does not. `MCP_IMAGES` decides where it
 * is given: `kitty`, `iterm`, `sixel` or `none`. Multiplexers pass none of them on.
 */
export function imageProtocolOf(env: Environment): ImageProtocol | 'none' | undefined {
  const { MCP_IMAGES: chosen, TERM: term = '', TERM_PROGRAM: program = '' } = env;
  if (chosen) return protocols.find((each) => each === chosen) ?? 'none';
  if (env['TMUX'] || /^(?:screen|tmux|dumb|linux)/.test(term)) return 'none';
  if (env['KITTY_WINDOW_ID']) return 'kitty';
  if (env['LC_TERMINAL'] === 'iTerm2' || env['KONSOLE_VERSION']) return 'iterm';
  return valueIn(programs, program) ?? valueIn(terminals, term);
}

function valueIn(table: Readonly<Record<string, ImageProtocol>>, key: string): ImageProtocol | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
