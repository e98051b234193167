// Everything around the view that tells of the frame.

import {drawCurve, drawPattern, drawPhases} from './charts.js';
import {number} from './numbers.js';

const byId = (id) => document.getElementById(id);

function setText(id, text) {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
}

export class Panels {
  constructor() {
    this.phases = [];
  }

  setScene({head}, bodies, onVisible) {
    this.scene = head;
    this.phases = [];
    document.title = `${head.name} - tact`;
    setText('scene-name', head.name);
    byId('live').hidden = head.mode !== 'live';
    byId('bodies').replaceChildren(...bodies.views.map((view) => bodyEntry(view, onVisible)));
  }

  show({head, arrays}) {
    this.shown = {head, arrays};
    setText('time', `${head.t.toFixed(3)} s`);
    setText('step', String(head.step));
    setText('contacts', String(head.certificate.active));
    this.showVerdict(head.verdict);
    this.showFailure(head);
    if (head.seconds && this.phases[this.phases.length - 1]?.step !== head.step)
      this.phases.push({...head.seconds, step: head.step});
    if (this.phases.length > 200) this.phases.splice(0, 100);
    if (head.step === 0) this.phases = [];
    this.drawCharts();
  }

  drawCharts() {
    if (!this.shown) return;
    const {head, arrays} = this.shown;
    const image = head.pattern;
    drawPattern(byId('pattern'), image, arrays.pattern);
    setText('pattern-text', image ? String(image.deformable + image.rigid + image.mixed) : '');
    byId('pattern').title = image ?
      `${image.deformable} contacts of meshes, ${image.rigid} of rigid bodies, ${image.mixed} between both; ` +
      'blue: act on each other through a node, orange: through a rigid body' : '';
    const tolerance = head.tolerance ?? this.scene.settings.tolerance;
    const live = this.scene.mode === 'live';
    drawCurve(byId('curve'), head.history, tolerance, live ? 'Nothing was solved' : 'Shown in live simulations');
    setText('curve-text', head.history?.length ? `${number(head.history[head.history.length - 1])} m/s` : '');
    drawPhases(byId('phases'), this.phases, live ? 'No step yet' : 'Shown in live simulations');
    setText('phases-text', head.step_seconds ? `${number(1000 * head.step_seconds)} ms` : '');
  }

  // In the words that `tact run` and `tact verify` use: src/tact/scene/verdict.hpp makes them.
  showVerdict({good, summary, sentences}) {
    setText('verdict', summary);
    byId('verdict').className = good ? 'good' : 'bad';
    byId('findings').replaceChildren(...sentences.map(({text, bad}) => {
      const item = document.createElement('li');
      item.textContent = text;
      item.className = bad ? 'bad' : '';
      return item;
    }));
  }

  showFailure(head) {
    banner('failure', head.failure ? `The simulation stopped: ${head.failure}` : '');
  }
}

// An empty text takes the banner away.
export function banner(id, text) {
  byId(id).hidden = text === '';
  setText(id, text);
}

let noticeTimer;
export function notify(text) {
  banner('notice', text);
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => banner('notice', ''), 8000);
}

function bodyEntry(view, onVisible) {
  const item = document.createElement('li');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = view.mesh.visible || view.isGround === true;
  box.disabled = view.isGround === true;
  box.addEventListener('change', () => {
    view.mesh.visible = box.checked;
    onVisible();
  });
  const swatch = document.createElement('span');
  swatch.className = 'swatch';
  swatch.style.background = `#${view.color.getHexString()}`;
  const label = document.createElement('label');
  label.append(box, swatch, view.body.name);
  const kind = document.createElement('span');
  kind.className = 'faint';
  kind.textContent = view.isGround ? 'ground' : `${view.body.kind}, ${view.body.vertices.toLocaleString('en')}`;
  item.append(label, kind);
  return item;
}
