/** A server's result that is not what its method returns. */
export class InvalidResult extends Error {
  override readonly name = 'InvalidResult';

  constructor(method: string, what: string) {
    super(`Invalid result of ${method}: ${what}`);
  }
}
