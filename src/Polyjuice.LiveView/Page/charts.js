import { el, svg, count } from './dom.js';

const width = 480, height = 170, left = 46, right = 8, top = 10, bottom = 22;
const leastSeconds = 10;

// The least of 1, 2, 5 times a power of ten that is not below.
function ceiling(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].find(step => step * power >= value) * power;
}

// Of a span of time, as long as there is data: a minute of it fills the chart, too.
const ago = seconds => seconds < 0.5 ? 'now' : seconds < 120 ? `-${Math.round(seconds)} s` : `-${count(Math.round(seconds / 6) / 10)} min`;

/** A chart over the time that there is data of. `series` are {name, values}, values as long as `times` (ms); null leaves a gap; stacked ones are areas. */
export function chart({ title, unit, times, series, stacked = false, marks = [], format = count }) {
  const end = times.length ? times[times.length - 1] : Date.now();
  const span = Math.max(leastSeconds, times.length ? (end - times[0]) / 1000 : 0);
  const x = time => left + (width - left - right) * (1 - (end - time) / (span * 1000));
  const totals = times.map((_, i) => stacked ? series.reduce((sum, one) => sum + (one.values[i] ?? 0), 0) : Math.max(0, ...series.map(one => one.values[i] ?? 0)));
  const most = ceiling(Math.max(0, ...totals));
  const y = value => height - bottom - (height - top - bottom) * Math.min(1, value / most);
  const latest = series.map(one => `${one.name} ${format(one.values.at(-1) ?? 0)}`).join(', ');
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${title}, ${unit}. Latest: ${latest || 'nothing'}.` });
  for (const share of [0, 0.5, 1]) {
    const value = most * share;
    picture.append(svg('line', { class: 'grid', x1: left, x2: width - right, y1: y(value), y2: y(value) }), svg('text', { x: left - 5, y: y(value) + 4, 'text-anchor': 'end' }, format(value)));
  }
  for (const share of [1, 0.5, 0]) {
    const anchor = share === 1 ? 'start' : share === 0 ? 'end' : 'middle';
    picture.append(svg('text', { x: x(end - share * span * 1000), y: height - 6, 'text-anchor': anchor }, ago(share * span)));
  }
  for (const mark of marks) picture.append(svg('line', { class: 'swap', x1: x(mark.time), x2: x(mark.time), y1: top, y2: height - bottom }, svg('title', {}, mark.name)));
  let below = times.map(() => 0);
  series.forEach((one, s) => {
    const colour = `var(--c${s % 8})`;
    if (stacked) {
      const above = below.map((value, i) => value + (one.values[i] ?? 0));
      const points = [...times.map((time, i) => `${x(time)},${y(above[i])}`), ...times.map((time, i) => `${x(time)},${y(below[i])}`).reverse()];
      if (times.length) picture.append(svg('polygon', { points: points.join(' '), fill: colour }, svg('title', {}, one.name)));
      below = above;
    } else {
      let path = '', isOpen = false;
      one.values.forEach((value, i) => {
        if (value === null) { isOpen = false; return; }
        path += `${isOpen ? 'L' : 'M'}${x(times[i]).toFixed(1)} ${y(value).toFixed(1)}`;
        isOpen = true;
      });
      picture.append(svg('path', { d: path, fill: 'none', stroke: colour, 'stroke-width': 1.6 }, svg('title', {}, one.name)));
    }
  });
  return el('figure', {}, el('figcaption', {}, `${title} (${unit})`), picture, keys(series));
}

/** Curves over a number that grows, such as a search's evaluations. */
export function curves({ title, unit, series }) {
  const points = series.flatMap(one => one.points);
  const farthest = ceiling(Math.max(0, ...points.map(point => point[0]))), most = ceiling(Math.max(0, ...points.map(point => point[1])));
  const x = value => left + (width - left - right) * value / farthest;
  const y = value => height - bottom - (height - top - bottom) * value / most;
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${title}. ${series.map(one => `${one.name}: ${count(one.points.at(-1)?.[1] ?? 0)}`).join(', ')}` });
  for (const share of [0, 0.5, 1]) {
    picture.append(svg('line', { class: 'grid', x1: left, x2: width - right, y1: y(most * share), y2: y(most * share) }), svg('text', { x: left - 5, y: y(most * share) + 4, 'text-anchor': 'end' }, count(most * share)));
    picture.append(svg('text', { x: x(farthest * share), y: height - 6, 'text-anchor': share === 1 ? 'end' : 'middle' }, count(farthest * share)));
  }
  series.forEach((one, s) => picture.append(svg('polyline', { points: one.points.map(point => `${x(point[0])},${y(point[1])}`).join(' '), fill: 'none', stroke: `var(--c${s % 8})`, 'stroke-width': 1.6 })));
  return el('figure', {}, el('figcaption', {}, `${title} (${unit})`), picture, keys(series));
}

function keys(series) {
  return el('ul', {}, ...series.map((one, s) => {
    const key = el('span', { class: 'key' });
    key.style.background = `var(--c${s % 8})`;
    return el('li', {}, key, one.name);
  }));
}
