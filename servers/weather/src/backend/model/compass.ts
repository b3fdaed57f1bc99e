const points = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');

/** The point of the compass that is nearest to a direction in degrees: `WSW`. */
export function pointOf(degrees: number): string {
  return points[Math.round((((degrees % 360) + 360) % 360) / 22.5) % 16]!;
}

/** The degrees of a point of the compass; null where it is none. */
export function degreesOf(point: string): number | null {
  const index = points.indexOf(point.toUpperCase());
  return index === -1 ? null : index * 22.5;
}
