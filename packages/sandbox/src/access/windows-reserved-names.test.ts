import { expect, test } from 'vitest';
import { windowsNameProblem } from './windows-reserved-names.ts';

test('a name that Windows would interpret differently is reported with the reason', () => {
  for (const path of ['CON', 'sub\\NUL.txt', 'C:\\x\\COM1', 'aux.c', 'lpt9', 'com¹', 'a/con/b', 'CON '])
    expect(windowsNameProblem(path), path).toBe('Names a device on Windows');
  for (const path of ['x.txt:stream', 'C:\\x.txt::$DATA', 'sub/b:c'])
    expect(windowsNameProblem(path), path).toBe('Names an alternate data stream on Windows');
  for (const path of ['a.', 'a ', 'sub.\\b', 'C:\\a...'])
    expect(windowsNameProblem(path), path).toBe('Windows removes dots and spaces at the end of a name');
  for (const path of ['a.txt', 'C:\\Users\\me', 'c:/x', '..\\a', '.', 'console.log', 'com10', '\\\\?\\C:\\x'])
    expect(windowsNameProblem(path), path).toBeUndefined();
});
