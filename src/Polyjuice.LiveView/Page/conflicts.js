import { byId, el, table, count, time } from './dom.js';
import { chart } from './charts.js';
import { largest, swaps } from './overview.js';

const seriesMax = 5, rowsMax = 10;

const nameOf = grain => grain.state ? `${grain.grain} (${grain.state})` : grain.grain;

/** Grains at which transactions meet each other now, with their means over a window, and over time. */
export function showGrains(grains, samples, window) {
  const seen = samples.filter(sample => sample.grains.length > 0);
  const recent = seen.filter(sample => sample.number > samples.at(-1).number - window);
  const means = new Map();
  for (const sample of recent) for (const grain of sample.grains) means.set(nameOf(grain), (means.get(nameOf(grain)) ?? 0) + grain.conflictsPerSecond / recent.length);
  byId('grains').replaceChildren(grains.length === 0 ? el('p', { class: 'quiet' }, 'No grain at which transactions have met each other lately.')
    : table('Where transactions met each other, on all silos of this process. The mean is over the seconds in which this page was open.',
      ['grain', 'state', 'conflicts now#', 'mean#', 'of accesses#'], grains.slice(0, rowsMax).map(grain => ({ cells: [
        grain.grain, grain.state, `${count(grain.conflictsPerSecond)}/s`, means.has(nameOf(grain)) ? `${count(means.get(nameOf(grain)))}/s` : '', `${count(grain.conflictShare * 100)}%`] }))));
  byId('grains-chart').replaceChildren(seen.length === 0 ? '' : chart({
    title: 'The hottest grains', unit: 'conflicts a second, stacked', stacked: true, times: seen.map(sample => Date.parse(sample.at)), marks: swaps(seen),
    series: largest(seen, seriesMax, sample => sample.grains.map(grain => [nameOf(grain), grain.conflictsPerSecond])),
  }));
}

/** Types of transactions that wait for those of another type, over a window, and over time. */
export function showWaiters(waits, samples) {
  const pairs = new Map();
  for (const site of waits.sites) {
    const key = `${site.type}\n${site.target}`, pair = pairs.get(key) ?? { who: site.type, whom: site.target, waits: 0, aborted: 0, seconds: 0 };
    pairs.set(key, { ...pair, waits: pair.waits + site.waits, aborted: pair.aborted + site.aborted, seconds: pair.seconds + site.seconds });
  }

  const elapsed = waits.seconds || 1, longest = [...pairs.values()].sort((one, other) => other.seconds - one.seconds);
  byId('waiters').replaceChildren(longest.length === 0 ? el('p', { class: 'quiet' }, 'Nobody has waited for another transaction.')
    : table(`Over ${count(waits.seconds)} s; the ${Math.min(rowsMax, longest.length)} pairs that waited longest.`,
      ['who', 'waits for', 'waits#', 'each#', 'waiting at a time#', 'ended in an abort#'], longest.slice(0, rowsMax).map(pair => ({ cells: [
        pair.who, pair.whom, `${count(pair.waits / elapsed)}/s`, time(pair.seconds / pair.waits), count(pair.seconds / elapsed), `${count(pair.aborted / pair.waits * 100)}%`] }))));
  byId('waiters-chart').replaceChildren(samples.every(sample => sample.typeWaits.length === 0) ? '' : chart({
    title: 'Who waits for whom', unit: 'transactions that wait, stacked', stacked: true, times: samples.map(sample => Date.parse(sample.at)), marks: swaps(samples),
    series: largest(samples, seriesMax, sample => sample.typeWaits.map(pair => [`${pair.type} for ${pair.target}`, pair.seconds / sample.seconds])),
  }));
}
