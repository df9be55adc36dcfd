import type { Report } from '../report.ts';
import { maxExponent } from '../rows.ts';

/** What something costs at one size. */
export interface Cost {
  size: number;
  cost: number;
}

/**
 * Returns the exponent of the power of the size by which a cost grows: the slope of the line through the logarithms of
 * both, by least squares. 0 is the same at every size, 1 is in proportion.
 */
export function exponentOf(costs: readonly Cost[]): number {
  const points = costs.map(({ size, cost }) => ({ x: Math.log(size), y: Math.log(cost) }));
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  return mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
}

/** Prints what something costs at each size, and judges how that grows. */
export function judgeGrowth(report: Report, what: string, costs: readonly Cost[], unit: string): void {
  const shown = costs.map(
    ({ size, cost }) => `${size.toLocaleString('en')}: ${cost.toFixed(cost < 10 ? 2 : 0)}${unit}`,
  );
  report.line(`${what}   ${shown.join(' · ')}`);
  report.judge(`${what}: exponent`, exponentOf(costs), maxExponent, '');
}
