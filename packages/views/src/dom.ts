// Elements of a page, without a framework and without markup from text. Needs the types of the DOM.
export { type Child, type ElementAttributes, byId, element, region, shape } from './dom/element.ts';
export { type Choice, choiceIn, type Option } from './dom/choice.ts';
