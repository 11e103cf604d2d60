import { el, byId, table, clock } from './dom.js';
import { get, post } from './api.js';

const shortMax = 5;

/** The history with its buttons, the comparison, and the way back. `onChanged` is called when another policy is in force. */
export function policies(mayAct, onChanged) {
  const dialog = byId('rollback'), reason = byId('rollback-reason'), result = byId('action-result');
  let versions = [], shown = '', target = null, isLong = false;

  async function load() {
    versions = await get('policies');
    // Drawn only when something has changed: whoever is about to press a button keeps it.
    if (shown === JSON.stringify(versions)) return;
    shown = JSON.stringify(versions);
    const current = versions[0];
    list();
    for (const [id, chosen] of [['diff-left', versions[1] ?? current], ['diff-right', current]]) {
      byId(id).replaceChildren(...versions.map(version => el('option', { value: String(version.version), selected: version === chosen }, `${version.version}: ${version.name}`)));
    }
  }

  function list() {
    const current = versions[0], listed = isLong ? versions : versions.slice(0, shortMax), all = byId('versions-all');
    all.hidden = versions.length <= shortMax;
    all.textContent = isLong ? `Show the latest ${shortMax}` : `Show all ${versions.length}`;
    all.setAttribute('aria-expanded', String(isLong));
    byId('versions').replaceChildren(table('The latest first.', ['version#', 'policy', 'since', 'why', 'actions'], listed.map((version, i) => ({
      className: version.isInForce ? 'current' : false,
      cells: [String(version.version), version.name + (version.isInForce ? ' (in force)' : ''), clock(version.since), version.note, el('span', {},
        i + 1 < versions.length ? button('Compare with the one before', `Compare version ${version.version} with ${versions[i + 1].version}`, () => compare(versions[i + 1].version, version.version)) : null, ' ',
        version.isInForce ? null : button('Compare with the one in force', `Compare version ${version.version} with the one in force`, () => compare(version.version, current.version)), ' ',
        version.isInForce || !mayAct ? null : button('Roll back to it', `Roll back to version ${version.version}`, () => ask(version, current)))],
    }))));
  }

  byId('versions-all').addEventListener('click', () => {
    isLong = !isLong;
    list();
  });
  byId('diff-any').addEventListener('click', () => compare(byId('diff-left').value, byId('diff-right').value));

  const button = (text, label, onclick) => el('button', { type: 'button', 'aria-label': label, onclick }, text);

  async function compare(left, right) {
    try {
      const diff = await get(`policies/diff?left=${left}&right=${right}`);
      const caption = `Version ${diff.left.version} (${diff.left.name}) and version ${diff.right.version} (${diff.right.name})`;
      byId('diff').replaceChildren(diff.differences.length === 0 ? el('p', {}, `${caption} do the same everywhere.`) : table(`${caption}: ${diff.differences.length} cells differ.`,
        ['where', 'cell', `version ${diff.left.version}`, `version ${diff.right.version}`], diff.differences.map(one => ({ cells: [one.where, one.cell, one.left, one.right] }))));
      byId('diff').focus();
    } catch (error) {
      result.textContent = error.message;
    }
  }

  function ask(version, current) {
    target = { to: version.version, from: current.version };
    byId('rollback-text').textContent = `Puts ${version.name} (version ${version.version}) in force again, in place of ${current.name} (version ${current.version}). Transactions under way finish as they began.`;
    reason.value = '';
    dialog.showModal();
    reason.focus();
  }

  byId('rollback-cancel').addEventListener('click', () => dialog.close());
  byId('rollback-form').addEventListener('submit', async event => {
    event.preventDefault();
    dialog.close();
    try {
      const made = await post('policies/rollback', { ...target, reason: reason.value });
      result.textContent = `${made.name} is in force again, as version ${made.version}.`;
    } catch (error) {
      result.textContent = error.message;
    }
    await onChanged();
  });
  return load;
}
