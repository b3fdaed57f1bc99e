const points = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');

/** Returns the nearest of the 16 compass points for a direction in degrees, such as `WSW`. */
export function pointOf(degrees: number): string {
  return points[Math.round((((degrees % 360) + 360) % 360) / 22.5) % 16]!;
}

/** Returns the degrees of a compass point, or null for another text. */
export function degreesOf(point: string): number | null {
  const index = points.indexOf(point.toUpperCase());
  return index === -1 ? null : index * 22.5;
}
