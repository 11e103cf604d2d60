import { el, time, count } from './dom.js';

// Five steps, so that two cells can be told apart; more says the number, in the last column and for each cell on hover.
const steps = [0, 0.12, 0.28, 0.45, 0.65];

function shade(node, share) {
  const step = share <= 0 ? 0 : share < 0.05 ? 1 : share < 0.2 ? 2 : share < 0.5 ? 3 : 4;
  node.dataset.heat = step;
  if (step > 0) node.style.background = `rgba(var(--heat), ${steps[step]})`;
}

export function showScale(scale) {
  scale.querySelectorAll('i').forEach((box, step) => { box.style.background = step === 0 ? 'var(--panel)' : `rgba(var(--heat), ${steps[step]})`; });
}

/** The policy's table: what it says in each cell, and by the cell's background the time that transactions waited there for those of the column's type. */
export function heatMap(policy, waits) {
  if (!policy.table) return el('p', {}, `${policy.name} is not made of a policy document, so there is no table to show.`);
  const { columns, sections } = policy.table;
  const types = sections.map(section => section.type).filter(type => type !== '');
  const firstType = columns.length - 1 - types.length;
  const byCell = new Map(), bySite = new Map();
  for (const wait of waits.sites) {
    const site = `${wait.type}\n${wait.site}`, cell = `${site}\n${wait.target}`;
    bySite.set(site, (bySite.get(site) ?? 0) + wait.seconds);
    byCell.set(cell, (byCell.get(cell) ?? 0) + wait.seconds);
  }
  const elapsed = waits.seconds || 1;
  const most = Math.max(1e-9, ...bySite.values());
  const shown = new Set();
  const rate = seconds => seconds > 0 ? `${time(seconds / elapsed)}/s` : '';

  const bodies = sections.map(section => el('tbody', {},
    el('tr', {}, el('th', { scope: 'rowgroup', colspan: columns.length + 2 }, section.heading)),
    ...section.rows.map(row => {
      const site = `${section.type}\n${row.site}`;
      const total = row.isHot ? 0 : bySite.get(site) ?? 0;
      if (!row.isHot) shown.add(site);
      const name = el('th', { scope: 'row', class: row.isHot ? 'hot-row' : false }, row.isHot ? 'while hot' : row.site);
      shade(name, total / most);
      const cells = row.cells.map((text, c) => {
        const type = types[c + 1 - firstType];
        const seconds = row.isHot || type === undefined ? 0 : byCell.get(`${site}\n${type}`) ?? 0;
        const cell = el('td', { class: row.isHot ? 'hot-row' : false, title: seconds > 0 ? `waited here for ${type}: ${rate(seconds)}` : false }, text);
        shade(cell, seconds / most);
        return cell;
      });
      return el('tr', {}, el('td', { class: 'number' }, row.number), name, ...cells, el('td', { class: 'number' }, rate(total)));
    })));

  // Waits at commits and reservations, and at sites that the table does not name.
  const rest = [...bySite].filter(([site]) => !shown.has(site)).sort((one, other) => other[1] - one[1]);
  if (rest.length > 0) bodies.push(el('tbody', {}, el('tr', {}, el('th', { scope: 'rowgroup', colspan: columns.length + 2 }, 'waits that are no row’s')), ...rest.map(([site, seconds]) => {
    const name = el('th', { scope: 'row' }, site.replace('\n', ': '));
    shade(name, seconds / most);
    return el('tr', {}, el('td', {}), name, el('td', { colspan: columns.length - 1 }), el('td', { class: 'number' }, rate(seconds)));
  })));

  const head = columns.map((column, c) => el('th', { scope: 'col', title: types[c - firstType] ?? false }, column));
  return el('table', {},
    el('caption', { class: 'quiet' }, `The darker a cell, the longer transactions waited there for those of the column’s type; a site’s name is as dark as its waits in all. Over ${count(waits.seconds)} s, all transactions together.`),
    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, '#'), ...head, el('th', { scope: 'col' }, 'waited'))),
    ...bodies);
}
