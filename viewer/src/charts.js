// Small drawings under the view: the contact matrix, the convergence of the step, the time per phase.

import {number} from './numbers.js';

const PHASES = [
  ['dynamics', '#56b4e9', 'dynamics'], ['broad_phase', '#009e73', 'broad'], ['narrow_phase', '#f0e442', 'narrow'],
  ['solve', '#d55e00', 'solve'],
];
const SET_COLORS = {1: [86, 180, 233], 2: [213, 94, 0], 3: [204, 121, 167]};  // via a node, a body, both
const STEPS_SHOWN = 100;

// A canvas that is sharp on any screen; draw(context, width, height) in CSS pixels.
function paint(canvas, draw) {
  const {clientWidth: width, clientHeight: height} = canvas;
  if (width === 0) return;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = '11px system-ui, "DejaVu Sans", sans-serif';
  draw(context, width, height);
}

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function say(context, text, x, y, align = 'left') {
  context.fillStyle = css('--faint');
  context.textAlign = align;
  context.fillText(text, x, y);
}

// image: {size, deformable, rigid, mixed}; pixels: size x size numbers.
export function drawPattern(canvas, image, pixels) {
  paint(canvas, (context, width, height) => {
    if (!image || image.size === 0) return say(context, image ? 'No contacts' : 'Not in this file', 4, 20);
    const side = Math.min(width, height);
    const data = new ImageData(image.size, image.size);
    for (let k = 0; k < pixels.length; ++k) {
      const color = SET_COLORS[pixels[k]];
      if (color) data.data.set([...color, 255], 4 * k);
    }
    const small = document.createElement('canvas');
    small.width = small.height = image.size;
    small.getContext('2d').putImageData(data, 0, 0);
    context.imageSmoothingEnabled = side < image.size;
    context.drawImage(small, 0, 0, side, side);
    context.strokeStyle = css('--line');
    context.strokeRect(0.5, 0.5, side - 1, side - 1);
    drawSetBorders(context, image, side);
  });
}

// Lines between the contacts of meshes, of rigid bodies, and of both.
function drawSetBorders(context, image, side) {
  const all = image.deformable + image.rigid + image.mixed;
  context.beginPath();
  for (const before of [image.deformable, image.deformable + image.rigid]) {
    if (before === 0 || before === all) continue;
    const at = Math.round(side * before / all) + 0.5;
    context.moveTo(at, 0);
    context.lineTo(at, side);
    context.moveTo(0, at);
    context.lineTo(side, at);
  }
  context.stroke();
}

// history: residuals (m/s), one an iteration; reason: why there are none, in a few words.
export function drawCurve(canvas, history, tolerance, reason) {
  paint(canvas, (context, width, height) => {
    if (!history || history.length === 0) return say(context, reason, 4, 20);
    const values = history.map((r) => Math.max(r, 1e-16));
    const low = Math.floor(Math.log10(Math.min(...values, tolerance ?? Infinity)));
    const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values, tolerance ?? 0))));
    const left = 38, bottom = height - 16, top = 4;
    const x = (k) => left + (width - left - 6) * (values.length > 1 ? k / (values.length - 1) : 0.5);
    const y = (value) => bottom - (bottom - top) * (Math.log10(value) - low) / (high - low);
    drawGrid(context, low, high, left, width, y);
    if (tolerance > 0) drawTolerance(context, y(tolerance), left, width);
    context.strokeStyle = css('--accent');
    context.lineWidth = 1.5;
    context.beginPath();
    values.forEach((value, k) => context[k ? 'lineTo' : 'moveTo'](x(k), y(value)));
    context.stroke();
    context.fillStyle = css('--accent');
    if (values.length < 40) values.forEach((value, k) => context.fillRect(x(k) - 2, y(value) - 2, 4, 4));
    say(context, '0', left, height - 3);
    say(context, `${values.length - 1} iterations`, width - 6, height - 3, 'right');
  });
}

function drawGrid(context, low, high, left, width, y) {
  context.lineWidth = 1;
  const every = Math.ceil((high - low) / 5);
  for (let e = low; e <= high; e += every) {
    context.strokeStyle = css('--line');
    context.beginPath();
    context.moveTo(left, Math.round(y(10 ** e)) + 0.5);
    context.lineTo(width, Math.round(y(10 ** e)) + 0.5);
    context.stroke();
    say(context, `1e${e}`, left - 4, y(10 ** e) + 4, 'right');
  }
}

function drawTolerance(context, at, left, width) {
  context.strokeStyle = css('--good');
  context.setLineDash([4, 3]);
  context.beginPath();
  context.moveTo(left, at);
  context.lineTo(width, at);
  context.stroke();
  context.setLineDash([]);
}

// steps: the seconds of each phase, of the last steps.
export function drawPhases(canvas, steps, reason) {
  paint(canvas, (context, width, height) => {
    if (steps.length === 0) return say(context, reason, 4, 20);
    const shown = steps.slice(-STEPS_SHOWN);
    const sum = (step) => PHASES.reduce((all, [name]) => all + step[name], 0);
    const most = Math.max(...shown.map(sum), 1e-6);
    const left = 38, bottom = height - 16, top = 4;
    const wide = (width - left - 6) / STEPS_SHOWN;
    shown.forEach((step, k) => {
      let y = bottom;
      for (const [name, color] of PHASES) {
        const tall = (bottom - top) * step[name] / most;
        context.fillStyle = color;
        context.fillRect(left + k * wide, y - tall, Math.max(1, wide - 0.5), tall);
        y -= tall;
      }
    });
    say(context, number(1000 * most), left - 4, top + 9, 'right');
    say(context, 'ms', left - 4, bottom, 'right');
    let x = left;
    for (const [, color, title] of PHASES) {
      context.fillStyle = color;
      context.fillRect(x, height - 11, 8, 8);
      say(context, title, x + 11, height - 3);
      x += 20 + context.measureText(title).width;
    }
  });
}
