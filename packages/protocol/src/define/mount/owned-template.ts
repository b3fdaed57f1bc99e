import { UriTemplate, type UriValues } from '../uri-template.ts';

/** A template that matches only some of its URIs: those for which `owns` returns true. */
export class OwnedTemplate extends UriTemplate {
  readonly #owns: (uri: string) => boolean;

  constructor({ template }: UriTemplate, owns: (uri: string) => boolean) {
    super(template);
    this.#owns = owns;
  }

  override match(uri: string): UriValues | undefined {
    const values = super.match(uri);
    return values && this.#owns(uri) ? values : undefined;
  }
}
