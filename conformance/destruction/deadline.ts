/** The result of `work`, which must be there within `seconds`. Rejects with what was waited for. */
export async function waitFor<Result>(what: string, seconds: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Late(`Waited ${seconds} s for ${what}`)), seconds * 1_000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Something did not happen in time. */
export class Late extends Error {
  override readonly name = 'Late';
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
