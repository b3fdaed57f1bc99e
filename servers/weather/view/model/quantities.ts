import { inUnit, pointOf, type Quantity, unitOf, type UnitSystem } from '@mcp/weather-data/units';

/** A value with its unit: `4.6 °C`, or `no data`. */
export function valueText(value: number | null, quantity: Quantity, units: UnitSystem): string {
  if (value === null) return 'no data';
  const unit = unitOf(quantity, units);
  return `${String(inUnit(value, unit)).replace('-', '−')} ${unit.label}`;
}

/** A temperature without decimals: `5°`, or in kelvins `278 K`. */
export function degrees(value: number | null, units: UnitSystem): string {
  if (value === null) return '–';
  const rounded = String(Math.round(unitOf('temperature', units).from(value)) + 0).replace('-', '−');
  return units === 'si' ? `${rounded} K` : `${rounded}°`;
}

/** `16 km/h from WSW, gusts 30.4 km/h`. */
export function windText(
  { wind, gusts, direction }: { wind: number | null; gusts: number | null; direction: number | null },
  units: UnitSystem,
): string {
  const from = direction === null || wind === 0 ? '' : ` from ${pointOf(direction)}`;
  const blowing = wind === 0 ? 'calm' : `${valueText(wind, 'speed', units)}${from}`;
  return gusts === null ? blowing : `${blowing}, gusts ${valueText(gusts, 'speed', units)}`;
}
