import { quoted } from '@mcp/kit';

/** How a terminal shows images. */
export type ImageProtocol = 'kitty' | 'iterm' | 'sixel';

const choices: readonly (ImageProtocol | 'none')[] = ['kitty', 'iterm', 'sixel', 'none'];

/** The image protocol of a terminal by its `TERM_PROGRAM`. */
const programs: Readonly<Record<string, ImageProtocol>> = {
  ghostty: 'kitty',
  'iTerm.app': 'iterm',
  WezTerm: 'iterm',
  mintty: 'iterm',
};

/** The image protocol of a terminal by its `TERM`. */
const terminals: Readonly<Record<string, ImageProtocol>> = {
  'xterm-kitty': 'kitty',
  'xterm-ghostty': 'kitty',
  foot: 'sixel',
  'foot-extra': 'sixel',
  mlterm: 'sixel',
  'yaft-256color': 'sixel',
};

/**
 * The image protocol according to the environment variables; undefined if they do not tell. `MCP_IMAGES` has
 * precedence. Inside tmux or screen no images are shown, because these programs do not pass images on to the
 * terminal.
 */
export function imageProtocolOf(
  env: NodeJS.ProcessEnv,
  warn: (message: string) => void,
): ImageProtocol | 'none' | undefined {
  const { MCP_IMAGES: chosen, TERM: term = '', TERM_PROGRAM: program = '' } = env;
  if (chosen) {
    const known = choices.find((each) => each === chosen);
    if (!known) warn(`Invalid MCP_IMAGES: ${quoted(chosen)}; expected kitty, iterm, sixel or none`);
    return known ?? 'none';
  }
  if (env['TMUX'] || /^(?:screen|tmux|dumb|linux)/.test(term)) return 'none';
  if (env['KITTY_WINDOW_ID']) return 'kitty';
  if (env['LC_TERMINAL'] === 'iTerm2' || env['KONSOLE_VERSION']) return 'iterm';
  return valueIn(programs, program) ?? valueIn(terminals, term);
}

function valueIn(table: Readonly<Record<string, ImageProtocol>>, key: string): ImageProtocol | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
