// Units of quantities and points of the compass. Needs no Node, so that pages in a browser use it too.
export { inUnit, unitOf, unitSystems, type Unit, type UnitSystem } from './model/units.ts';
export { pointOf } from './model/compass.ts';
export type { Quantity } from './model/measures.ts';
