/** Whether two decimals, with or without an exponent, are the same number. */
export function isSameDecimal(one: string, other: string): boolean {
  return one === other || normalized(one) === normalized(other);
}

/** Returns a decimal in normal form: its digits without zeros at both ends, and the last digit's exponent. */
function normalized(decimal: string): string {
  const [mantissa = '', exponent = '0'] = decimal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace(/^[-+]/, '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const last = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${mantissa.startsWith('-') ? '-' : ''}${significant}e${last}`;
}
