import { byId, el } from './dom.js';
import { get } from './api.js';
import { showCharts, showFigures, showTrace, showTraining, showTypes } from './overview.js';
import { showGrains, showWaiters } from './conflicts.js';
import { heatMap, showScale } from './heat.js';
import { policies } from './policies.js';

const samplesMax = 600;
let { samples, waits, grains, training, dashboard } = JSON.parse(byId('first').textContent);
let policy = null, loadPolicies = null, reloadedAt = { sample: 0, version: 0 };

const windowSeconds = () => Number(byId('wait-window').value);

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

function showMeasured() {
  showFigures(samples, policy);
  showCharts(samples);
  showGrains(grains, samples, windowSeconds());
  showWaiters(waits, samples);
  showTypes(samples);
  showHeat();
  showTrace(samples);
}

async function reloadPolicy() {
  await loadPolicies();
  policy = await get('policies/current');
  showHeat();
  showExplanation();
  showFigures(samples, policy);
}

async function hear(event) {
  const known = samples.at(-1)?.number ?? 0;
  samples = [...samples, ...event.samples.filter(sample => sample.number > known)].slice(-samplesMax);
  grains = event.grains;
  const latest = samples.at(-1), window = windowSeconds();
  waits = window === 60 ? event.waits : await get(`waits?seconds=${window}`);
  // Sites that nobody had come to before are new rows.
  const rows = new Set(policy.table?.sections.flatMap(section => section.rows.map(row => `${section.type}\n${row.site}`)) ?? []);
  const hasNewSites = waits.sites.some(wait => !wait.site.startsWith('(') && !rows.has(`${wait.type}\n${wait.site}`));
  const age = latest.number - reloadedAt.sample;
  if (latest.policyVersion !== reloadedAt.version || age >= 30 || (hasNewSites && age >= 5)) {
    reloadedAt = { sample: latest.number, version: latest.policyVersion };
    await reloadPolicy();
  }
  showMeasured();
  if (byId('training').dataset.follows) showTraining(await get('training'));
}

function say(text, isLost) {
  const connection = byId('connection');
  if (connection.textContent !== text) connection.textContent = text;
  connection.classList.toggle('lost', isLost);
}

async function start() {
  // What came with the page, before anything else is asked for.
  if (dashboard) {
    byId('dashboard').href = dashboard;
    byId('dashboard').hidden = false;
  }
  showScale(byId('scale'));
  showMeasured();
  showTraining(training);

  const status = await get('status');
  byId('hint').textContent = status.hint;
  byId('hint').hidden = status.mayAct;
  if (status.hasTraining) byId('training').dataset.follows = 'yes';
  loadPolicies = policies(status.mayAct, reloadPolicy);
  reloadedAt = { sample: samples.at(-1)?.number ?? 0, version: samples.at(-1)?.policyVersion ?? 0 };
  await reloadPolicy();

  const source = new EventSource(`api/v1/events?after=${samples.at(-1)?.number ?? 0}`);
  let handling = Promise.resolve();
  source.addEventListener('open', () => say('live', false));
  source.addEventListener('error', () => say('connection lost; trying again…', true));
  source.addEventListener('message', message => {
    handling = handling.then(() => hear(JSON.parse(message.data))).then(() => say('live', false)).catch(error => say(error.message, true));
  });
  byId('wait-window').addEventListener('change', async event => {
    waits = await get(`waits?seconds=${event.target.value}`);
    showGrains(grains, samples, windowSeconds());
    showWaiters(waits, samples);
    showHeat();
  });
}

start().catch(error => say(error.message, true));
