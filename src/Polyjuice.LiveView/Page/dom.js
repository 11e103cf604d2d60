// Elements are made of text, never of markup: names of types, sites, grains and policies come from elsewhere.
export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.filter(child => child !== null && child !== undefined));
  return node;
}

export function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export const byId = id => document.getElementById(id);

export function table(caption, columns, rows) {
  const isNumber = columns.map(column => column.endsWith('#'));
  return el('table', {},
    el('caption', { class: 'quiet' }, caption),
    el('thead', {}, el('tr', {}, ...columns.map(column => el('th', { scope: 'col' }, column.replace(/#$/, ''))))),
    el('tbody', {}, ...rows.map(row => el('tr', { class: row.className }, ...row.cells.map((cell, c) => el('td', { class: isNumber[c] ? 'number' : false }, cell))))));
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

export const count = value => value >= 100 ? whole.format(value) : fine.format(value);

export function time(seconds) {
  if (!seconds) return '0';
  if (seconds < 0.001) return `${count(seconds * 1e6)} µs`;
  return seconds < 1 ? `${count(seconds * 1e3)} ms` : `${count(seconds)} s`;
}

export const clock = text => text ? new Date(text).toLocaleTimeString() : '';
