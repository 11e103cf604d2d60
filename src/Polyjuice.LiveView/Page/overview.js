import { byId, el, table, count, time } from './dom.js';
import { chart, curves } from './charts.js';

const sum = values => values.reduce((total, value) => total + value, 0);

export function showFigures(samples, policy) {
  const latest = samples.at(-1);
  if (!latest) return;
  const figures = [
    ['committed', `${count(latest.commits / latest.seconds)}/s`], ['aborted attempts', `${count(sum(Object.values(latest.aborts)) / latest.seconds)}/s`],
    ['median latency', time(latest.latency.p50)], ['99th percentile', time(latest.latency.p99)],
    ['dependency chain', `${count(latest.chainMean)} (max ${latest.chainMax})`], ['waiting to start', count(latest.waiting)],
  ];
  if (latest.chosen) figures.push(['table chosen', latest.chosen]);
  if (policy) figures.push(['policy', `${policy.name}, v${policy.version}`]);
  byId('figures').replaceChildren(...figures.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', { 'data-figure': name }, value))));
}

/** Where another policy came into force, or another table was chosen. */
export const swaps = samples => samples.flatMap((sample, i) => {
  if (i === 0) return [];
  const before = samples[i - 1], time = Date.parse(sample.at);
  if (sample.policyVersion !== before.policyVersion) return [{ time, name: `policy version ${sample.policyVersion}` }];
  return sample.chosen && sample.chosen !== before.chosen ? [{ time, name: `table ${sample.chosen}` }] : [];
});

/** The names that come to most in all, and one for the rest. `pick` gives a sample's [name, value] pairs. */
export function largest(samples, most, pick) {
  const sums = new Map(), perSample = samples.map(sample => new Map(pick(sample)));
  for (const values of perSample) for (const [name, value] of values) sums.set(name, (sums.get(name) ?? 0) + value);
  const names = [...sums].sort((one, other) => other[1] - one[1]).map(([name]) => name);
  const [shown, rest] = [names.slice(0, most), names.slice(most)];
  const series = shown.map(name => ({ name, values: perSample.map(values => values.get(name) ?? 0) }));
  if (rest.length > 0) series.push({ name: 'others', values: perSample.map(values => sum(rest.map(name => values.get(name) ?? 0))) });
  return series;
}

export function showCharts(samples) {
  const times = samples.map(sample => Date.parse(sample.at)), marks = swaps(samples);
  const latency = pick => samples.map(sample => sample.latency.commits > 0 ? pick(sample.latency) : null);
  byId('charts').replaceChildren(
    chart({ title: 'Throughput', unit: 'committed transactions a second', times, marks, series: [{ name: 'committed', values: samples.map(sample => sample.commits / sample.seconds) }] }),
    chart({ title: 'Aborted attempts by reason', unit: 'a second, stacked', times, marks, stacked: true,
      series: largest(samples, 7, sample => Object.entries(sample.aborts).map(([reason, value]) => [reason, value / sample.seconds])) }),
    chart({ title: 'Latency', unit: 'first attempt to commit', times, marks, format: time, series: [{ name: 'median', values: latency(all => all.p50) }, { name: '99th percentile', values: latency(all => all.p99) }] }),
    chart({ title: 'Dependency chain', unit: 'undecided transactions below one', times, marks, series: [{ name: 'mean', values: samples.map(sample => sample.chainMean) }, { name: 'longest', values: samples.map(sample => sample.chainMax) }] }));
}

export function showTypes(samples) {
  const latest = samples.at(-1);
  const names = latest ? [...new Set([...latest.types, ...latest.typeAborts].map(one => one.type))].sort() : [];
  if (names.length === 0) {
    byId('types').replaceChildren(el('p', { class: 'quiet' }, 'No transaction has ended.'));
    return;
  }

  const rate = value => `${count(value / latest.seconds)}/s`;
  byId('types').replaceChildren(table('Committed transactions with their latency, from the first attempt to the commit, retries included; aborted attempts with their reasons.',
    ['type', 'committed#', 'mean#', 'median#', '99th percentile#', 'aborted#', 'why'], names.map(name => {
      const type = latest.types.find(one => one.type === name), aborts = latest.typeAborts.filter(one => one.type === name);
      const latency = pick => type ? time(pick(type)) : '';
      return { cells: [
        name || '(no type)', rate(type?.commits ?? 0), latency(one => one.mean), latency(one => one.p50), latency(one => one.p99),
        rate(sum(aborts.map(one => one.attempts))), aborts.map(one => `${one.reason} ${rate(one.attempts)}`).join(', '),
      ] };
    })));
}

export function showTrace(samples) {
  const trace = samples.at(-1)?.trace;
  const dropped = trace?.dropped > 0 ? `; ${count(trace.dropped)} records were dropped, because they could not be written in time` : '';
  byId('trace').textContent = !trace || trace.recordings === 0 ? 'None is recorded here.'
    : `${trace.recordings === 1 ? 'One recording' : `${count(trace.recordings)} recordings`} under way: ${count(trace.attempts)} attempts, ${count(trace.bytes / 1e6)} MB written${dropped}.`;
}

export function showTraining(status) {
  byId('training').hidden = !status;
  if (!status) return;
  byId('training-state').textContent = [status.state, status.decision].filter(text => text).join('. ');
  byId('training-curves').replaceChildren(status.curves.length === 0 ? el('p', { class: 'quiet' }, 'No search so far.') : curves({
    title: 'Best table so far', unit: 'committed a second, over evaluations',
    series: status.curves.map(curve => ({ name: curve.name, points: curve.points.map(point => [point.evaluations, point.best]) })),
  }));
}
