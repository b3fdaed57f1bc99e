import type { ShownView } from './shown-view.ts';

/** Reads texts of a view, waits for them, presses keys and counts elements. */
export function handlesOf({ frame, page }: ShownView) {
  const texts = (selector: string) =>
    frame.$$eval(selector, (all) =>
      all.map((element) => (element as unknown as { innerText: string }).innerText),
    );
  return {
    texts,
    text: (selector: string) =>
      frame.$eval(selector, (element) => (element as unknown as { innerText: string }).innerText),
    says: (selector: string, part: string) =>
      frame.waitForFunction(
        `document.querySelector(${JSON.stringify(selector)})?.innerText.includes(${JSON.stringify(part)})`,
      ),
    press: async (...keys: Parameters<typeof page.keyboard.press>[0][]) => {
      for (const key of keys) await page.keyboard.press(key);
    },
    nodes: async () => Number(await frame.evaluate(`document.querySelectorAll('*').length`)),
  };
}

/** The largest that a view with hostile data may be: elements, characters, and pixels in height. */
export interface Bounds {
  readonly nodes: number;
  readonly length?: number;
  readonly height?: number;
}

/** What hostile data has done to a view; equals `harmless` if it has done nothing. */
export async function effectsOn(
  { frame, page, errors }: ShownView,
  { nodes, length = 100_000, height = 1_500 }: Bounds,
): Promise<object> {
  const state = (await frame.evaluate(`({
    hasRun: globalThis.hacked !== undefined,
    scripts: document.scripts.length,
    images: document.images.length,
    overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
    hasControls: /[\\u202a-\\u202e\\u2066-\\u2069\\u0000\\u001b]/.test(document.body.textContent),
    isLong: document.body.textContent.length >= ${length},
    isCrowded: document.querySelectorAll('*').length >= ${nodes},
    isHigh: document.documentElement.scrollHeight >= ${height},
  })`)) as object;
  const hasLeft = (await page.evaluate('globalThis.hacked !== undefined')) as boolean;
  return { ...state, hasLeft, errors: [...errors] };
}

export const harmless = {
  hasRun: false,
  scripts: 1,
  images: 0,
  overflow: 0,
  hasControls: false,
  isLong: false,
  isCrowded: false,
  isHigh: false,
  hasLeft: false,
  errors: [],
};
