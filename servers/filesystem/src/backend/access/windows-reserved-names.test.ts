import { expect, test } from 'vitest';
import { otherwiseOnWindows } from './windows-reserved-names.ts';

test('F61 says what Windows would take for something else', () => {
  for (const path of ['CON', 'sub\\NUL.txt', 'C:\\x\\COM1', 'aux.c', 'lpt9', 'com¹', 'a/con/b', 'CON '])
    expect(otherwiseOnWindows(path), path).toBe('Names a device on Windows');
  for (const path of ['x.txt:stream', 'C:\\x.txt::$DATA', 'sub/b:c'])
    expect(otherwiseOnWindows(path), path).toBe('Names a stream of another file on Windows');
  for (const path of ['a.', 'a ', 'sub.\\b', 'C:\\a...'])
    expect(otherwiseOnWindows(path), path).toBe('Windows cuts off dots and spaces at the end of a name');
  for (const path of ['a.txt', 'C:\\Users\\me', 'c:/x', '..\\a', '.', 'console.log', 'com10', '\\\\?\\C:\\x'])
    expect(otherwiseOnWindows(path), path).toBeUndefined();
});
