// Elements of a page, without a framework and without markup from text. Needs the types of the DOM.
export { type Child, type ElementAttributes, byId, element, region, shape } from './dom/element.ts';
export { type Approval, approvalNode } from './dom/approval.ts';
export { type ChartData, chartIn } from './dom/chart.ts';
export { type Choice, choiceIn, type Option } from './dom/choice.ts';
export { type Field, formNode, type FormValues } from './dom/form.ts';
export { type Table, tableNode } from './dom/table.ts';
export { codeNode, overflowOf, probeNode, signNode } from './dom/code.ts';
export { fullScreenIn } from './dom/full-screen.ts';
export { LongList, type LongListOptions, type LongListRow, type LongListRows } from './dom/long-list.ts';
export { Refresher } from './dom/refresher.ts';
