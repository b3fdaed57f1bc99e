/** How long a terminal may take to answer, in milliseconds. */
const answerTimeoutMs = 200;

/** A terminal's answer with its primary device attributes: numbers for its features; 4 is sixel. */
const attributes = new RegExp(String.raw`\u001b\[\?([\d;]*)c`);

/** Whether a terminal shows sixels, by its primary device attributes; false if it does not answer. */
export function querySixel(stdin: NodeJS.ReadStream, stdout: NodeJS.WritableStream): Promise<boolean> {
  return new Promise((resolve) => {
    let received = '';
    const wasRaw = stdin.isRaw;
    const end = (shows: boolean) => {
      clearTimeout(timer);
      stdin.off('data', take);
      stdin.setRawMode(wasRaw);
      stdin.pause();
      resolve(shows);
    };
    const take = (chunk: Buffer | string) => {
      received += String(chunk);
      const features = attributes.exec(received)?.[1];
      if (features !== undefined) end(features.split(';').includes('4'));
    };
    const timer = setTimeout(() => end(false), answerTimeoutMs);
    stdin.setRawMode(true);
    stdin.on('data', take);
    stdout.write('\u001b[c');
  });
}
