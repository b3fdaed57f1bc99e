import { shape } from './element.ts';

/** The parts of the context of a host that say how much of the screen a view has. */
interface Screen {
  readonly displayMode?: unknown;
  readonly availableDisplayModes?: unknown;
  readonly containerDimensions?: unknown;
}

/**
 * Makes a function that gets the context of the host. Where the host has it, a click on `button` asks for the
 * full screen, and for its end. The root has `data-fills="true"` where the page has a height to fill.
 */
export function fullScreenIn(
  button: HTMLElement,
  request: (mode: 'inline' | 'fullscreen') => Promise<unknown>,
): (context: Screen) => void {
  const corners = shape('path', { d: 'M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5' });
  button.append(shape('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, corners));
  button.addEventListener('click', () => {
    // Where the host refuses, the view stays as it is.
    request(button.ariaPressed === 'true' ? 'inline' : 'fullscreen').catch(() => {});
  });
  return ({ displayMode = 'inline', availableDisplayModes, containerDimensions }) => {
    const isFull = displayMode === 'fullscreen';
    const { height } = (containerDimensions ?? {}) as { readonly height?: unknown };
    document.documentElement.dataset['fills'] = String(isFull || height !== undefined);
    button.hidden = !Array.isArray(availableDisplayModes) || !availableDisplayModes.includes('fullscreen');
    button.ariaPressed = String(isFull);
  };
}
