/** A result that does not have the shape of its method. */
export class InvalidResult extends Error {
  override readonly name = 'InvalidResult';

  constructor(method: string, what: string) {
    super(`Invalid result of ${method}: ${what}`);
  }
}
