// Numbers as people read them.

export function number(value) {
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 0.01 && size < 1e5 ? String(Number(value.toPrecision(3))) : value.toExponential(1);
}
