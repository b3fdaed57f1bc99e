// Values of others as a page can show them, and shapes for pictures of SVG. Needs no browser.
export { type Chart, chartOf, type ChartPair, type ChartValue, nearestPoint } from './model/chart.ts';
export { cleanText, escapedText } from './model/clean-text.ts';
export { type JsonObject, objectOf } from './model/json-object.ts';
export { type Language, languageOf } from './model/languages.ts';
export { listOf, nameOf } from './model/read-values.ts';
export { readDelay, type ReadTimes } from './model/read-times.ts';
export { extentOf, roundTicks, type Scale, scaleOf } from './model/scale.ts';
export { type Point, smoothPath, withoutGaps } from './model/smooth-path.ts';
export { codeOf, columnsOf, countOf, lineOf, messageOf, numberOf } from './model/text.ts';
