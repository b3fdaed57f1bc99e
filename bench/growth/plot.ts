import { init } from 'echarts';
import type { Growth, Measured } from './growth.ts';

/** Draws measurements with logarithmic axes, as an SVG for light and dark pages. */
export function plot({ unit, columns }: Growth, rows: readonly Measured[]): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 720, height: 360 });
  const grey = '#7a8594';
  const axis = { nameTextStyle: { color: grey }, axisLabel: { color: grey, formatter: short } };
  chart.setOption({
    animation: false,
    color: ['#2f7de1', '#e5732a', '#20a06b', '#a45fd0', '#c8a200', '#d14b6c'],
    legend: { bottom: 0, textStyle: { color: grey } },
    grid: { left: 64, right: 24, top: 32, bottom: 72 },
    xAxis: {
      type: 'log',
      name: unit,
      nameLocation: 'middle',
      nameGap: 28,
      ...axis,
      splitLine: { show: false },
    },
    yAxis: { type: 'log', ...axis, splitLine: { lineStyle: { color: grey, opacity: 0.25 } } },
    series: columns.map((name, at) => ({
      name,
      type: 'line',
      symbolSize: 7,
      data: rows.flatMap(({ size, values }) => (values[at]! > 0 ? [[size, values[at]]] : [])),
    })),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}

function short(value: number): string {
  if (value >= 1_000_000) return `${value / 1_000_000}M`;
  return value >= 1_000 ? `${value / 1_000}k` : String(value);
}
