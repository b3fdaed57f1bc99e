/** A point of a drawing: x to the right, y down. */
export type Point = readonly [x: number, y: number];

/** A glyph: its width, and its lines. Capitals are from y 0 at the top to y 6 at the base line. */
export interface Glyph {
  readonly width: number;
  readonly lines: readonly (readonly Point[])[];
}

// The lines of each glyph, separated by `|`: points as `x,y x,y`, or `o` with the center, radii and angles of
// an elliptic arc, where angles are clockwise from the right. `w` sets the width if no line reaches it.
const shapes: { readonly [character: string]: string } = {
  A: '0,6 2,0 4,6|0.7,4 3.3,4',
  B: '2,0 0,0 0,6 2.2,6|0,3 2.2,3|o2,1.5,1.5,1.5,-90,90|o2.2,4.5,1.6,1.5,-90,90',
  C: 'o2.2,3,2.2,3,40,320',
  D: '1.6,0 0,0 0,6 1.6,6|o1.6,3,2.4,3,-90,90',
  E: '3.5,0 0,0 0,6 3.5,6|0,3 3,3',
  F: '3.5,0 0,0 0,6|0,3 3,3',
  G: 'o2.2,3,2.2,3,40,320|2.6,3.4 4.1,3.4 4.1,5',
  H: '0,0 0,6|4,0 4,6|0,3 4,3',
  I: '0.4,0 0.4,6',
  J: '2.6,0 2.6,4.6|o1.3,4.6,1.3,1.4,0,180',
  K: '0,0 0,6|3.8,0 0,3.7|1.3,2.6 4,6',
  L: '0,0 0,6 3.4,6',
  M: '0,6 0,0 2.4,4.4 4.8,0 4.8,6',
  N: '0,6 0,0 4,6 4,0',
  O: 'o2.3,3,2.3,3,0,360',
  P: '2.2,0 0,0 0,6|0,3.2 2.2,3.2|o2.2,1.6,1.6,1.6,-90,90',
  Q: 'o2.3,3,2.3,3,0,360|2.8,4.6 4.5,6.5',
  R: '2.2,0 0,0 0,6|0,3.2 2.2,3.2|o2.2,1.6,1.6,1.6,-90,90|1.8,3.2 3.9,6',
  S: 'o1.9,1.5,1.7,1.5,90,330|o1.9,4.5,1.9,1.5,270,515',
  T: '0,0 4,0|2,0 2,6',
  U: '0,0 0,4|4,0 4,4|o2,4,2,2,0,180',
  V: '0,0 2,6 4,0',
  W: '0,0 1.4,6 2.8,1 4.2,6 5.6,0',
  X: '0,0 4,6|4,0 0,6',
  Y: '0,0 2,3 4,0|2,3 2,6',
  Z: '0,0 4,0 0,6 4,6',
  a: 'o1.7,4,1.7,2,0,360|3.4,2 3.4,6',
  b: '0,0 0,6|o1.7,4,1.7,2,0,360',
  c: 'o1.7,4,1.7,2,45,315',
  d: '3.4,0 3.4,6|o1.7,4,1.7,2,0,360',
  e: '0.1,4 3.5,4|o1.8,4,1.75,2,45,360',
  f: '0,2.1 2.1,2.1|0.8,6 0.8,1.5|o2,1.5,1.2,1.4,180,285',
  g: 'o1.7,4,1.7,2,0,360|3.4,2 3.4,6.4|o1.7,6.4,1.7,1.5,0,150',
  h: '0,0 0,6|o1.6,3.7,1.6,1.7,180,360|3.2,3.7 3.2,6',
  i: '0.4,2 0.4,6|0.4,0.2 0.4,0.5',
  j: '1.2,2 1.2,6.6|o0,6.6,1.2,1.2,0,90|1.2,0.2 1.2,0.5',
  k: '0,0 0,6|3,2 0,4.7|1.1,3.8 3.2,6',
  l: '0.4,0 0.4,6',
  m: '0,2 0,6|o1.3,3.5,1.3,1.5,180,360|2.6,3.5 2.6,6|o3.9,3.5,1.3,1.5,180,360|5.2,3.5 5.2,6',
  n: '0,2 0,6|o1.6,3.7,1.6,1.7,180,360|3.2,3.7 3.2,6',
  o: 'o1.8,4,1.8,2,0,360',
  p: '0,2 0,8|o1.7,4,1.7,2,0,360',
  q: '3.4,2 3.4,8|o1.7,4,1.7,2,0,360',
  r: '0,2 0,6|o1.6,3.7,1.6,1.7,180,290',
  s: 'o1.4,3,1.3,1,90,330|o1.4,5,1.4,1,270,510',
  t: '0.9,0.6 0.9,5|o1.9,5,1,1,80,180|0,2.1 2.1,2.1',
  u: '0,2 0,4.4|o1.6,4.4,1.6,1.6,0,180|3.2,2 3.2,6',
  v: '0,2 1.6,6 3.2,2',
  w: '0,2 1.2,6 2.4,2.6 3.6,6 4.8,2',
  x: '0,2 3,6|3,2 0,6',
  y: '0,2 1.7,6|3.4,2 1.7,6 0.8,8',
  z: '0,2 3,2 0,6 3,6',
  0: 'o1.8,3,1.8,3,0,360',
  1: '0.4,1.3 2,0 2,6|w3.6',
  2: 'o1.8,1.7,1.7,1.7,190,375|3.45,2.1 2.9,3.2 0.1,6 3.6,6',
  3: 'o1.7,1.5,1.6,1.5,200,450|o1.7,4.5,1.9,1.5,270,520',
  4: '2.8,6 2.8,0 0,4.2 3.7,4.2',
  5: '3.3,0 0.5,0 0.25,2.8|o1.7,4.1,1.9,1.9,222,510',
  6: 'o1.8,4.2,1.8,1.8,0,360|o3,4.2,3,4.2,180,255',
  7: '0,0 3.6,0 1.3,6',
  8: 'o1.8,1.5,1.5,1.5,0,360|o1.8,4.5,1.8,1.5,0,360',
  9: 'o1.8,1.8,1.8,1.8,0,360|o0.6,1.8,3,4.2,0,75',
  '.': '0.4,5.8 0.4,6',
  ',': '0.6,5.7 0.2,7',
  ':': '0.4,2.6 0.4,2.8|0.4,5.8 0.4,6',
  '-': '0,3.6 2.2,3.6',
  '–': '0,3.6 3.2,3.6',
  '+': '0,3.6 3.2,3.6|1.6,2 1.6,5.2',
  '/': '0,6.6 2.4,-0.4',
  '(': 'o2.6,3,2.6,4.6,130,230',
  ')': 'o-1,3,2.6,4.6,-50,50',
  "'": '0.3,0 0.3,1.6',
  '’': '0.3,0 0.3,1.6',
  '%': 'o0.9,1.2,0.9,1.2,0,360|o3.9,4.8,0.9,1.2,0,360|4,0 0.8,6',
  '°': 'o0.9,1,0.9,0.9,0,360',
  μ: '0,2 0,8|o1.6,4.4,1.6,1.6,0,180|3.2,2 3.2,6',
  '³': 'o0.8,0.6,0.7,0.6,200,450|o0.8,1.8,0.8,0.6,270,520',
  '?': 'o1.5,1.6,1.5,1.6,190,420|2.2,3 1.6,4.4|1.6,5.8 1.6,6',
  ' ': 'w1.6',
};

/** Accents, drawn for a lowercase letter whose middle is at x 0. Above a capital, they are 2 units higher. */
const marks: { readonly [character: string]: string } = {
  '\u0300': '-0.9,-0.4 0.3,0.9',
  '\u0301': '0.9,-0.4 -0.3,0.9',
  '\u0302': '-1,0.9 0,-0.3 1,0.9',
  '\u0303': '-1.2,0.8 -0.5,0 0.5,0.8 1.2,0',
  '\u0304': '-1,0.4 1,0.4',
  '\u0306': 'o0,-0.3,1,1,0,180',
  '\u0307': '0,0.3 0,0.5',
  '\u0308': '-0.9,0.3 -0.9,0.5|0.9,0.3 0.9,0.5',
  '\u030a': 'o0,0.2,0.7,0.7,0,360',
  '\u030b': '0,-0.4 -0.8,0.9|1.4,-0.4 0.6,0.9',
  '\u030c': '-1,-0.3 0,0.9 1,-0.3',
  '\u0327': '0.2,6 0.4,7.2 -0.5,7.6',
  '\u0328': '0.8,6 0.4,7.2 1.2,7.6',
};

/** Replacements for letters that Unicode does not decompose. */
const spelled: { readonly [character: string]: string } = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  ı: 'i',
  þ: 'th',
  Þ: 'Th',
  ð: 'd',
  µ: 'μ',
};

const arcStepDegrees = 15;

/** Whether the font has every character of a text. */
export function isDrawable(text: string): boolean {
  return charactersOf(text).every(
    (character) => Object.hasOwn(shapes, character) || Object.hasOwn(marks, character),
  );
}

/** The glyphs of a text, with accents on their letters; `?` for a character that the font does not have. */
export function glyphsOf(text: string): readonly Glyph[] {
  const glyphs: Glyph[] = [];
  let base = '';
  for (const character of charactersOf(text)) {
    if (!Object.hasOwn(marks, character)) {
      glyphs.push(glyphOf(character));
      base = character;
      continue;
    }
    const glyph = glyphs.pop();
    if (!glyph) continue;
    const isLow = character === '\u0327' || character === '\u0328';
    const up = /[A-Z]/.test(base) && !isLow ? -2 : 0;
    const above = linesOf(marks[character]!).map((line) =>
      line.map(([x, y]): Point => [x + glyph.width / 2, y + up]),
    );
    glyphs.push({ width: glyph.width, lines: [...glyph.lines, ...above] });
  }
  return glyphs;
}

function charactersOf(text: string): readonly string[] {
  const plain = Array.from(text, (character) => spelled[character] ?? character).join('');
  return Array.from(plain.normalize('NFD'));
}

const known = new Map<string, Glyph>();

function glyphOf(character: string): Glyph {
  let glyph = known.get(character);
  if (!glyph) {
    const shape = shapes[character] ?? shapes['?']!;
    const lines = linesOf(shape);
    const fixed = Number(/w([\d.]+)$/.exec(shape)?.[1] ?? 0);
    known.set(character, (glyph = { width: Math.max(fixed, ...lines.flat().map(([x]) => x)), lines }));
  }
  return glyph;
}

function linesOf(shape: string): readonly (readonly Point[])[] {
  const drawn = shape.split('|').filter((line) => !line.startsWith('w'));
  return drawn.map((line) => {
    if (line.startsWith('o')) return arc(line.slice(1).split(',').map(Number));
    return line.split(' ').map((point): Point => {
      const [x = 0, y = 0] = point.split(',').map(Number);
      return [x, y];
    });
  });
}

function arc([
  x = 0,
  y = 0,
  radiusX = 0,
  radiusY = 0,
  from = 0,
  to = 0,
]: readonly number[]): readonly Point[] {
  const steps = Math.ceil((to - from) / arcStepDegrees);
  return Array.from({ length: steps + 1 }, (_, index): Point => {
    const angle = ((from + ((to - from) * index) / steps) * Math.PI) / 180;
    return [x + radiusX * Math.cos(angle), y + radiusY * Math.sin(angle)];
  });
}
