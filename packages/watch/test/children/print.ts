/** Reports to the test that started this process. */
export function print(message: unknown): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
