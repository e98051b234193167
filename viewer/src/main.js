// The page: one of three players (live, recording, file), the view, and what is around it.

import {Bodies} from './bodies.js';
import {number} from './numbers.js';
import {Connection} from './connection.js';
import {Drag} from './drag.js';
import {bindKeys} from './keys.js';
import {LivePlayer} from './live_player.js';
import {Overlays, contactState} from './overlays.js';
import {Panels, banner, notify} from './panels.js';
import {contactAt} from './protocol.js';
import {RecordingPlayer, ServerSource} from './recording_player.js';
import {LiveSettings} from './settings.js';
import {Stage} from './stage.js';
import {openStandalone} from './standalone.js';
import {Timeline} from './timeline.js';

const byId = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);

const stage = new Stage(byId('canvas'), {plain: query.has('plain')});
const overlays = new Overlays(stage);
const panels = new Panels();
const timeline = new Timeline();
let connection, player, source, sceneKey, lastNotice = 0, lastPace;

const send = (command) => connection?.send(command);
const drag = new Drag(stage, send);
const settings = new LiveSettings(send);

const events = {
  onFrame(frame) {
    stage.bodies.show(frame.arrays);
    overlays.show(frame.arrays);
    panels.show(frame);
    settings.show(frame.head);
    showPace(frame.head);
    tellNotice(frame.head);
    timeline.update();
    stage.redraw();
  },
  onState() {
    timeline.update();
    const mode = byId('mode');
    mode.textContent = !player ? '' : player.live ? (player.playing ? 'live, running' : 'live, paused') :
      source.finished ? 'recording' : 'recording, still being written';
    mode.classList.toggle('running', player?.playing ?? false);
  },
};

// A scene that comes again after a lost connection leaves camera and overlays as they are.
function setScene(message) {
  const {head} = message;
  const key = JSON.stringify([head.name, head.mode, head.bodies]);
  if (key !== sceneKey) {
    stage.setBodies(new Bodies(message), head.settings.camera);
    panels.setScene(message, stage.bodies, () => stage.redraw());
    applyStyle();
    sceneKey = key;
  }
  drag.enabled = head.mode === 'live';
  settings.setScene(head);
}

function setPlayer(next) {
  player = next;
  timeline.setPlayer(player);
  events.onState();
}

const handlers = {
  onMessage(message) {
    const {type, mode} = message.head;
    if (type === 'notice') {
      source?.drop();
      return notify(message.head.text);
    }
    if (type === 'frame') return (player.live ? player : source).take(message);
    setScene(message);
    if (mode === 'live') return setPlayer(new LivePlayer(connection, events));
    const old = player;
    source = new ServerSource(connection, message.head);
    setPlayer(new RecordingPlayer(source, events));
    if (old) player.goTo(old.position);
  },
  onLost(seconds) {
    source?.drop();
    banner('lost', `The connection to tact is lost (${Math.round(seconds)} s). Trying again. ` +
      'If tact was stopped, start it and open the new address.');
  },
  onFound() {
    banner('lost', '');
  },
};

function showPace(head) {
  const output = byId('pace');
  if (!player?.live) {
    output.textContent = `x${player?.speed ?? 1}`;
    return;
  }
  const now = {wall: performance.now(), t: head.t};
  if (!lastPace || head.t < lastPace.t) lastPace = now;
  if (now.wall - lastPace.wall < 500) return;
  output.textContent = `x${number((now.t - lastPace.t) / (now.wall - lastPace.wall) * 1000)}`;
  lastPace = now;
}

function tellNotice({notice}) {
  if (!notice || notice.serial <= lastNotice) return;
  lastNotice = notice.serial;
  notify(notice.text);
}

// ---- what is shown -------------------------------------------------------------------------------

const style = {wireframe: false, transparent: false};

function applyStyle() {
  stage.bodies?.forEachMaterial((material) => {
    material.wireframe = style.wireframe;
    material.transparent = style.transparent;
    material.opacity = style.transparent ? 0.35 : 1;
    material.needsUpdate = true;
  });
  stage.redraw();
}

function show(what, on) {
  const box = byId(`show-${what}`);
  box.checked = on ?? !box.checked;
  if (what in style) {
    style[what] = box.checked;
    applyStyle();
  } else {
    overlays.set(what, box.checked);
    stage.redraw();
  }
}

for (const what of ['points', 'forces', 'cones', 'wireframe', 'transparent'])
  byId(`show-${what}`).addEventListener('change', (event) => show(what, event.target.checked));
byId('show-points').checked = overlays.shows.points;
byId('force-scale').addEventListener('input', (event) => overlays.setScale(10 ** Number(event.target.value)));
byId('frame-all').addEventListener('click', () => stage.lookAtAll());

bindKeys({
  toggle: () => player?.toggle(),
  step: (by) => player?.step(by),
  reset: () => player?.reset(),
  changeSpeed: (by) => timeline.changeSpeed(by),
  show,
  lookAtAll: () => stage.lookAtAll(),
  togglePanels: () => document.body.classList.toggle('bare'),
});

const swatch = (color) => `<svg width="10" height="10"><rect width="10" height="10" rx="2" fill="#${color}"/></svg>`;

stage.beforeDraw.push(() => {
  const parts = [`<span>squares ${number(stage.square ?? 1)} m</span>`];
  const arrow = overlays.legend();
  if (arrow)
    parts.push(`<span><svg width="${Math.ceil(arrow.pixels)}" height="8"><path d="M0 4H${arrow.pixels}" ` +
      `stroke="#d55e00" stroke-width="3"/></svg>${number(arrow.newtons)} N</span>`);
  if (overlays.shows.points || overlays.shows.cones)
    parts.push(`<span>${swatch('0072b2')}sticks</span><span>${swatch('e69f00')}slides</span>` +
      `<span>${swatch('999999')}does not push</span>`);
  const html = parts.join('');
  const legend = byId('legend');
  legend.hidden = false;
  if (legend.dataset.html !== html) {
    legend.dataset.html = html;
    legend.innerHTML = html;
  }
});

// What a contact under the pointer is.
stage.canvas.addEventListener('pointermove', (event) => {
  const hint = byId('hint');
  const k = event.buttons === 0 && panels.shown ? overlays.contactUnder(stage.rayAt(event)) : -1;
  hint.hidden = k < 0;
  if (k < 0) return;
  const contact = contactAt(panels.shown.arrays, k);
  const names = [...contact.bodies].map((body) => stage.bodies.views[body]?.body.name ?? 'the world');
  const words = {stick: 'sticks', slip: `slides at ${number(1000 * contact.slip)} mm/s`, open: 'does not push'};
  hint.textContent = `${names[0]} on ${names[1]}\n${words[contactState(contact)]}\n` +
    `force ${number(Math.hypot(...contact.force))} N, mu ${number(contact.mu)}\ngap ${number(1000 * contact.gap)} mm`;
  const box = stage.canvas.getBoundingClientRect();
  hint.style.left = `${Math.min(event.clientX - box.left + 14, box.width - 200)}px`;
  hint.style.top = `${Math.min(event.clientY - box.top + 14, box.height - 90)}px`;
});

new ResizeObserver(() => panels.drawCharts()).observe(byId('charts'));

// ---- start ---------------------------------------------------------------------------------------

function loop() {
  player?.tick();
  stage.draw();
  requestAnimationFrame(loop);
}

async function start() {
  const packed = byId('recording');
  if (packed) {
    const opened = await openStandalone(packed.textContent);
    setScene(opened.scene);
    source = opened.source;
    setPlayer(new RecordingPlayer(source, events));
  } else {
    connection = new Connection(`ws://${location.host}/?token=${query.get('token') ?? ''}`, handlers);
  }
  loop();
}

// For tests and for the curious: what the page knows.
window.tact = {
  stage, overlays, panels, drag,
  get player() { return player; },
  get connection() { return connection; },
  get head() { return panels.shown?.head; },
};

start();
