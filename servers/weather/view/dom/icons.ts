import type { Sky } from '../model/sky.ts';
import { shape } from '@mcp/views/dom';

// Pictures of the sky, drawn in a square of 24: each is a list of paths, with the class of its colour.

type Path = readonly [colour: 'sun' | 'cloud' | 'drop' | 'bolt', data: string];

const disc = (x: number, y: number, radius: number) =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;

const rays =
  'M12 2v2.4M12 19.6V22M2 12h2.4M19.6 12H22M4.9 4.9l1.7 1.7M17.4 17.4l1.7 1.7M4.9 19.1l1.7-1.7M17.4 6.6l1.7-1.7';
const sun: readonly Path[] = [
  ['sun', disc(12, 12, 4.4)],
  ['sun', rays],
];
const moon: readonly Path[] = [['sun', 'M19 14.6A7.6 7.6 0 1 1 10.2 4.6a6 6 0 0 0 8.8 10Z']];
const cloud: Path = ['cloud', 'M6.5 18.5a4 4 0 0 1-.4-8A5.8 5.8 0 0 1 17.2 9.7a4.4 4.4 0 0 1 .5 8.8Z'];
const highCloud: Path = [
  'cloud',
  'M6.8 14.5a3.7 3.7 0 0 1-.3-7.4A5.3 5.3 0 0 1 16.7 6.4a4.1 4.1 0 0 1 .4 8.1Z',
];
const drops: Path = ['drop', 'M8.5 17.2l-1 3.3M12.5 17.2l-1 3.3M16.5 17.2l-1 3.3'];
const flakes: Path = ['drop', 'M8 18v.01M12 20.5v.01M16 18v.01M8 21.8v.01M16 21.8v.01'];

const pictures: { readonly [S in Sky]: { readonly day: readonly Path[]; readonly night?: readonly Path[] } } =
  {
    clear: { day: sun, night: moon },
    partly: {
      day: [
        ['sun', disc(8.5, 8, 3.2)],
        ['sun', 'M8.5 1.6v1.6M2.1 8h1.6M4 3.5l1.1 1.1M13 3.5l-1.1 1.1'],
        ['cloud', 'M9 19.5a3.6 3.6 0 0 1-.3-7.2A5 5 0 0 1 18.2 11.6a3.9 3.9 0 0 1 .4 7.9Z'],
      ],
      night: [
        ['sun', 'M12.5 8.7A5.2 5.2 0 0 1 6.2 2.4 5.4 5.4 0 1 0 12.5 8.7Z'],
        ['cloud', 'M9 19.5a3.6 3.6 0 0 1-.3-7.2A5 5 0 0 1 18.2 11.6a3.9 3.9 0 0 1 .4 7.9Z'],
      ],
    },
    cloudy: { day: [cloud] },
    fog: { day: [highCloud, ['cloud', 'M5 18h14M7.5 21.2h9']] },
    rain: { day: [highCloud, drops] },
    sleet: { day: [highCloud, ['drop', 'M8.5 17.2l-1 3.3M16.5 17.2l-1 3.3M12 18v.01M12 21.5v.01']] },
    snow: { day: [highCloud, flakes] },
    thunder: { day: [highCloud, ['bolt', 'M12.8 13.5l-3 4.3h3l-1.6 4']] },
    unknown: { day: [] },
  };

/** The picture of a sky. Its meaning is in the text beside it. */
export function icon(sky: Sky, isDay = true): SVGSVGElement {
  const { day, night = day } = pictures[sky];
  const paths = (isDay ? day : night).map(([colour, d]) => shape('path', { class: colour, d }));
  return shape('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, ...paths);
}
