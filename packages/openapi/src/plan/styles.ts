/** How a value becomes text: the members of a Parameter Object. */
export interface Style {
  readonly style: 'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** The parameter has a `content` of JSON in place of a style. */
  readonly isJson: boolean;
}

/** The styles of each place, the default first. */
export const styles = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
} as const satisfies { readonly [place: string]: readonly Style['style'][] };

export type ParameterPlace = keyof typeof styles;
