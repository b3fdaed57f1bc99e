import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TemporaryDirectory } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { changeFile } from './change-file.ts';

test('a change that another program makes meanwhile is kept', async () => {
  using directory = new TemporaryDirectory('change-file');
  const file = directory.put('mcp.json', 'one');
  const options = { stateDirectory: join(directory.base, 'state') };
  let theirs = 0;
  const append = (text: string) => {
    if (theirs++ === 0) writeFileSync(file, 'two');
    return `${text} mine`;
  };
  expect(await changeFile(file, append, options)).toMatchObject({ text: 'two mine', isNew: false });
  expect(readFileSync(file, 'utf8')).toBe('two mine');
  const always = (text: string) => {
    writeFileSync(file, `${text}!`);
    return text;
  };
  await expect(changeFile(file, (text) => `${always(text)} mine`, options)).rejects.toThrow(
    'another program changes it all the time',
  );
  expect(readFileSync(file, 'utf8')).toBe('two mine!!!!!');
  expect(readdirSync(directory.root)).toEqual(['mcp.json']);
});
