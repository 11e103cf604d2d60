import { byId, el, table, count, time } from './dom.js';
import { get } from './api.js';
import { chart, curves } from './charts.js';
import { heatMap, showScale } from './heat.js';
import { policies } from './policies.js';

const samplesMax = 600;
let samples = [], policy = null, waits = { seconds: 0, sites: [] }, loadPolicies = null, reloadedAt = { sample: 0, version: 0 };

function showFigures() {
  const latest = samples.at(-1);
  if (!latest) return;
  const aborts = Object.values(latest.aborts).reduce((sum, value) => sum + value, 0);
  const figures = [
    ['committed', `${count(latest.commits / latest.seconds)}/s`], ['aborted attempts', `${count(aborts / latest.seconds)}/s`],
    ['median latency', time(latest.latency.p50)], ['99th percentile', time(latest.latency.p99)],
    ['dependency chain', `${count(latest.chainMean)} (max ${latest.chainMax})`], ['waiting to start', count(latest.waiting)], ['policy', policy ? `${policy.name}, v${policy.version}` : ''],
  ];
  byId('figures').replaceChildren(...figures.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', { 'data-figure': name }, value))));
}

function showCharts() {
  const times = samples.map(sample => Date.parse(sample.at));
  const rate = pick => samples.map(sample => pick(sample) / sample.seconds);
  const marks = samples.flatMap((sample, i) => i > 0 && sample.policyVersion !== samples[i - 1].policyVersion ? [{ time: times[i], name: `policy version ${sample.policyVersion}` }] : []);
  const sums = new Map();
  for (const sample of samples) for (const [reason, value] of Object.entries(sample.aborts)) sums.set(reason, (sums.get(reason) ?? 0) + value);
  const reasons = [...sums].sort((one, other) => other[1] - one[1]).map(([reason]) => reason);
  const shown = reasons.slice(0, 7), rest = reasons.slice(7);
  const byReason = shown.map(reason => ({ name: reason, values: rate(sample => sample.aborts[reason] ?? 0) }));
  if (rest.length > 0) byReason.push({ name: 'others', values: rate(sample => rest.reduce((sum, reason) => sum + (sample.aborts[reason] ?? 0), 0)) });
  const latency = pick => samples.map(sample => sample.latency.commits > 0 ? pick(sample.latency) : null);
  byId('charts').replaceChildren(
    chart({ title: 'Throughput', unit: 'committed transactions a second', times, marks, series: [{ name: 'committed', values: rate(sample => sample.commits) }] }),
    chart({ title: 'Aborted attempts by reason', unit: 'a second, stacked', times, marks, stacked: true, series: byReason }),
    chart({ title: 'Latency', unit: 'first attempt to commit', times, marks, format: time, series: [{ name: 'median', values: latency(all => all.p50) }, { name: '99th percentile', values: latency(all => all.p99) }] }),
    chart({ title: 'Dependency chain', unit: 'undecided transactions below one', times, marks, series: [{ name: 'mean', values: samples.map(sample => sample.chainMean) }, { name: 'longest', values: samples.map(sample => sample.chainMax) }] }));
}

function showHeat() {
  if (!policy) return;
  byId('policy-summary').textContent = `${policy.note ? `${policy.note} This process runs under` : 'In force:'} ${policy.name}, version ${policy.version}. ${policy.description}`;
  const unknown = policy.unknownTypes.map(one => one.nearest ? `${one.type} (is it ${one.nearest}?)` : one.type);
  byId('policy-unknown').hidden = unknown.length === 0;
  byId('policy-unknown').textContent = `It names transaction types that nobody here can start: ${unknown.join(', ')}.`;
  const region = byId('heat'), { scrollLeft } = region;
  region.replaceChildren(heatMap(policy, waits));
  region.scrollLeft = scrollLeft;
  byId('legend').replaceChildren(...(policy.table?.legend ?? []).map(line => el('li', {}, line)), ...policy.provenance.map(one => el('li', {}, `${one.key}: ${one.value}`)));
}

function showExplanation() {
  const { explanation } = policy;
  const compared = explanation?.compared ?? [];
  const against = compared.length > 0 ? `, compared with ${compared.join(' and ')}` : '';
  byId('explanation-summary').textContent = `The table in sentences${against}`;
  byId('explanation').replaceChildren(...(explanation ? explanation.sections.flatMap(section => [
    el('h3', {}, section.heading), el('ul', {}, ...section.sentences.map(sentence => el('li', {}, sentence))),
  ]) : [el('p', {}, `${policy.name} is not made of a policy document, so there is nothing to say of its table.`)]));
}

function showGrains(grains) {
  byId('grains').replaceChildren(grains.length === 0 ? el('p', { class: 'quiet' }, 'No grain at which transactions have met each other lately.') : table('Where transactions met each other, on all silos of this process.',
    ['grain', 'state', 'conflicts#', 'of accesses#'], grains.map(grain => ({ cells: [grain.grain, grain.state, `${count(grain.conflictsPerSecond)}/s`, `${count(grain.conflictShare * 100)}%`] }))));
}

function showTypes() {
  const latest = samples.at(-1);
  byId('types').replaceChildren(!latest || latest.types.length === 0 ? el('p', { class: 'quiet' }, 'None has committed.') : table('Committed transactions; latency from the first attempt to the commit, retries included.',
    ['type', 'committed#', 'mean#', 'median#', '99th percentile#'], latest.types.map(type => ({ cells: [type.type, `${count(type.commits / latest.seconds)}/s`, time(type.mean), time(type.p50), time(type.p99)] }))));
}

function showTraining(status) {
  byId('training').hidden = !status;
  if (!status) return;
  byId('training-state').textContent = [status.state, status.decision].filter(text => text).join('. ');
  byId('training-curves').replaceChildren(status.curves.length === 0 ? el('p', { class: 'quiet' }, 'No search so far.') : curves({
    title: 'Best table so far', unit: 'committed a second, over evaluations',
    series: status.curves.map(curve => ({ name: curve.name, points: curve.points.map(point => [point.evaluations, point.best]) })),
  }));
}

async function reloadPolicy() {
  await loadPolicies();
  policy = await get('policies/current');
  showHeat();
  showExplanation();
  showFigures();
}

async function hear(event) {
  const known = samples.at(-1)?.number ?? 0;
  samples = [...samples, ...event.samples.filter(sample => sample.number > known)].slice(-samplesMax);
  const latest = samples.at(-1);
  const window = Number(byId('wait-window').value);
  waits = window === 60 ? event.waits : await get(`waits?seconds=${window}`);
  // Sites that nobody had come to before are new rows.
  const rows = new Set(policy.table?.sections.flatMap(section => section.rows.map(row => `${section.type}\n${row.site}`)) ?? []);
  const hasNewSites = waits.sites.some(wait => !wait.site.startsWith('(') && !rows.has(`${wait.type}\n${wait.site}`));
  const age = latest.number - reloadedAt.sample;
  if (latest.policyVersion !== reloadedAt.version || age >= 30 || (hasNewSites && age >= 5)) {
    reloadedAt = { sample: latest.number, version: latest.policyVersion };
    await reloadPolicy();
  }
  showFigures();
  showCharts();
  showHeat();
  showGrains(event.grains);
  showTypes();
  if (byId('training').dataset.follows) showTraining(await get('training'));
}

function say(text, isLost) {
  const connection = byId('connection');
  if (connection.textContent !== text) connection.textContent = text;
  connection.classList.toggle('lost', isLost);
}

async function start() {
  const status = await get('status');
  document.title = status.title;
  byId('title').textContent = status.title;
  byId('process').textContent = status.process;
  byId('hint').textContent = status.hint;
  byId('hint').hidden = status.mayAct;
  if (status.hasTraining) byId('training').dataset.follows = 'yes';
  showScale(byId('scale'));
  loadPolicies = policies(status.mayAct, reloadPolicy);
  samples = await get('history');
  reloadedAt = { sample: samples.at(-1)?.number ?? 0, version: samples.at(-1)?.policyVersion ?? 0 };
  await reloadPolicy();
  if (status.hasTraining) showTraining(await get('training'));

  const source = new EventSource(`api/v1/events?after=${samples.at(-1)?.number ?? 0}`);
  let handling = Promise.resolve();
  source.addEventListener('open', () => say('live', false));
  source.addEventListener('error', () => say('connection lost; trying again…', true));
  source.addEventListener('message', message => {
    handling = handling.then(() => hear(JSON.parse(message.data))).then(() => say('live', false)).catch(error => say(error.message, true));
  });
  byId('wait-window').addEventListener('change', async event => {
    waits = await get(`waits?seconds=${event.target.value}`);
    showHeat();
  });
}

start().catch(error => say(error.message, true));
