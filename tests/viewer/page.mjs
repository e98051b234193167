// node page.mjs TACT MODULES FOLDER [PICTURES]
// Looks at the page of `tact view` in a headless Chromium. Exits with 0, 1 for a failure, 77 where
// Chromium or playwright-core is absent. Waits for what is to be seen, never for a time.
import {existsSync, mkdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {resolve} from 'node:path';

import {exportHtml, refusals, startView, tactRun} from './serve.mjs';

const [tact, modules, folder, pictures] = process.argv.slice(2);
const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (!chromiumPath || !existsSync(resolve(modules, 'node_modules/playwright-core'))) {
  console.log('skipped: no Chromium or no playwright-core');
  process.exit(77);
}
const {chromium} = createRequire(resolve(modules, 'package.json'))('playwright-core');

const PATIENCE = 60000;  // ms: the machine may be busy, and pixels are made by the processor
const SIZE = ['--set', '/vertices=14'];

function check(condition, text) {
  if (!condition) throw new Error(text);
}

async function picture(page, name) {
  if (pictures) await page.screenshot({path: resolve(pictures, `${name}.png`)});
}

const frameOf = (page) => page.evaluate(() => window.tact.player.position);
const stepOf = (page) => page.evaluate(() => window.tact.head.step);
const pixels = (page) => page.evaluate(() => new Promise((done) => {
  window.tact.stage.redraw();
  requestAnimationFrame(() => requestAnimationFrame(() => done(window.tact.stage.canvas.toDataURL())));
}));
const until = (page, what, argument) => page.waitForFunction(what, argument, {timeout: PATIENCE});

async function open(browser, address) {
  const page = await browser.newPage({viewport: {width: 1000, height: 640}});
  page.setDefaultTimeout(PATIENCE);
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(error.message));
  await page.goto(address + (address.includes('?') ? '&' : '?') + 'plain');
  await until(page, () => window.tact?.head !== undefined && window.tact.stage.drawn > 0);
  return page;
}

// ---- recordings ----------------------------------------------------------------------------------

async function playsRecording(page) {
  check(await page.textContent('#scene-name') === 'falling-cloth', 'the page names the scene');
  await page.keyboard.press('Space');
  await until(page, () => window.tact.player.position >= 3);
  await page.keyboard.press('Space');
  await until(page, () => !window.tact.player.playing);
}

async function scrubs(page) {
  for (const k of [17, 4]) {
    await page.$eval('#scrub', (slider, value) => {
      slider.value = String(value);
      slider.dispatchEvent(new Event('input'));
    }, k);
    await until(page, (value) => window.tact.player.position === value && window.tact.head.frame === value, k);
  }
  await page.keyboard.press('ArrowRight');
  await until(page, () => window.tact.head.frame === 5);
  await page.keyboard.press('ArrowLeft');
  await until(page, () => window.tact.head.frame === 4);
  check(/^4 \//.test(await page.textContent('#frame-number')), 'the number of the frame is told');
  await page.keyboard.press('Backspace');
  await until(page, () => window.tact.head.frame === 0);
}

async function overlaysChangePixels(page) {
  const last = await page.evaluate(() => window.tact.player.count - 1);
  await page.evaluate((k) => window.tact.player.goTo(k), last);
  await until(page, (k) => window.tact.head.frame === k, last);
  check(await page.evaluate(() => window.tact.head.certificate.active) > 0, 'something is in contact');
  for (const what of ['points', 'forces', 'cones', 'wireframe', 'transparent']) {
    const before = await pixels(page);
    await page.click(`#show-${what}`);
    check(await pixels(page) !== before, `${what} changes the picture`);
    await page.click(`#show-${what}`);
    check(await pixels(page) === before, `${what} again changes it back`);
  }
  const before = await pixels(page);
  await page.keyboard.press('f');
  check(await pixels(page) !== before, 'the key F shows forces');
  check(/\d N/.test(await page.textContent('#legend')), 'forces have a scale in newtons');
  await picture(page, 'recording');
}

async function tellsCertificate(page) {
  const words = await page.textContent('#certificate');
  check(/No surfaces touch/.test(words) && /hold to/.test(words) && /of refinement/.test(words),
    `the certificate is told in words: ${words}`);
  check(await page.evaluate(() => window.tact.head.pattern.size) > 0, 'the contact matrix is there');
}

// As the server would tell of a step that missed its tolerance and of one that could not be made.
async function showsFailures(page) {
  await page.evaluate(() => {
    const {panels} = window.tact;
    const {head, arrays} = panels.shown;
    const missed = {text: 'The solver missed its tolerance in 1 of 2 solves.', bad: true};
    const verdict = {good: false, summary: 'Not all that was asked holds.', sentences: [missed]};
    panels.show({head: {...head, verdict, failure: 'step 12: no room'}, arrays});
  });
  check(await page.isVisible('#failure') && /no room/.test(await page.textContent('#failure')),
    'a step that failed is said over the view');
  check(/missed its tolerance/.test(await page.textContent('#findings .bad')), 'a missed tolerance is marked');
  check((await page.getAttribute('#verdict', 'class')) === 'bad', 'the verdict says so');
}

// ---- live simulation -----------------------------------------------------------------------------

async function runsLive(page) {
  check(await page.isVisible('#live'), 'a simulation has its panel');
  await page.keyboard.press('Space');
  await until(page, () => window.tact.head.step >= 5);
  await page.keyboard.press('Space');
  await until(page, () => !window.tact.head.running);
}

async function stepsLive(page) {
  const before = await stepOf(page);
  await page.keyboard.press('ArrowRight');
  await until(page, (step) => window.tact.head.step === step + 1, before);
  await page.keyboard.press('ArrowLeft');  // from memory
  await until(page, (step) => window.tact.head.step === step, before);
  await page.keyboard.press('ArrowRight');
  await until(page, (step) => window.tact.head.step === step + 1, before);
  check(await page.evaluate(() => window.tact.panels.phases.length) > 0, 'the time per phase is there');
}

async function switchesSolver(page) {
  await page.click('#reset');
  await until(page, () => window.tact.head.step === 0);
  await page.evaluate(() => window.tact.player.setSpeed(8));
  await page.click('#play');
  await until(page, () => (window.tact.head.history?.length ?? 0) > 2);
  await page.click('#play');
  await until(page, () => !window.tact.head.running);
  const shown = () => page.evaluate(() => ({
    history: window.tact.head.history, drawn: document.getElementById('curve').toDataURL()}));
  const before = await shown();
  const step = await stepOf(page);
  await page.selectOption('#solver', 'pgs');
  await until(page, () => window.tact.head.settings.solver === 'pgs');
  await page.click('#forward');
  await until(page, (k) => window.tact.head.step === k + 1, step);
  const after = await shown();
  check(JSON.stringify(after.history) !== JSON.stringify(before.history), 'another solver, another curve');
  check(after.history.length > 0 && after.drawn !== before.drawn, 'and it is drawn');
  await page.selectOption('#solver', 'auto');
}

async function changesSettings(page) {
  await page.fill('#dt', '2');
  await page.press('#dt', 'Enter');
  await until(page, () => window.tact.head.settings.dt === 0.002);
  await page.fill('#mu', '0.7');
  await page.press('#mu', 'Enter');
  await until(page, () => window.tact.head.settings.mu === 0.7);
  await page.fill('#dt', '-1');
  await page.press('#dt', 'Enter');
  await until(page, () => /dt: found/.test(document.getElementById('notice').textContent));
  await page.fill('#dt', '4');
  await page.press('#dt', 'Enter');
  await until(page, () => window.tact.head.settings.dt === 0.004);
}

async function savesProblem(page, problems) {
  await page.click('#save');
  await until(page, () => /Saved/.test(document.getElementById('notice').textContent));
  const file = (await page.textContent('#notice')).replace('Saved ', '');
  check(file.startsWith(problems) && existsSync(file), `the problem is in ${file}`);
}

async function dragsBody(page) {
  await page.click('#reset');
  await until(page, () => window.tact.head.step === 0);
  // A place on the screen where the cloth is: the middle of the sheet, since rays pass its rim by.
  const place = await page.evaluate(() => {
    const {stage} = window.tact;
    const view = stage.bodies.views.find((v) => v.body.kind === 'cloth');
    const middle = Math.floor((view.body.vertices + Math.sqrt(view.body.vertices)) / 2);
    const at = view.vertex(middle, stage.camera.position.clone());
    const top = at.clone().project(stage.camera);
    const box = stage.canvas.getBoundingClientRect();
    return {x: box.left + (top.x + 1) / 2 * box.width, y: box.top + (1 - top.y) / 2 * box.height};
  });
  const height = () => page.evaluate(() => {
    const {drag, stage} = window.tact;
    return drag.view.vertex(drag.vertex, stage.camera.position.clone()).y;
  });
  await page.keyboard.down('Control');
  await page.mouse.move(place.x, place.y);
  await page.mouse.down();
  const before = await height();
  await page.mouse.move(place.x, place.y - 120, {steps: 4});
  await page.evaluate(() => window.tact.player.play());
  await until(page, () => window.tact.head.step >= 250);
  const pulled = await height();
  await picture(page, 'live');
  await page.mouse.up();
  await page.keyboard.up('Control');
  await page.evaluate(() => window.tact.player.pause());
  check(pulled > before + 0.1, `the vertex is pulled up against its weight: from ${before} to ${pulled} m`);
}

// ---- the rest ------------------------------------------------------------------------------------

async function showsLostConnection(page, view) {
  const frame = await frameOf(page);
  await view.stop();
  await page.waitForSelector('#lost:not([hidden])');
  const again = await startView(tact, view.shown, {port: view.port, token: view.token});
  await page.waitForSelector('#lost', {state: 'hidden'});
  await until(page, (k) => window.tact.player.position === k, frame);
  await page.evaluate(() => window.tact.player.goTo(7));
  await until(page, () => window.tact.head.frame === 7);
  return again;
}

async function seesNewFrames(page, more) {
  const before = await page.evaluate(() => window.tact.player.count);
  await more();
  await until(page, (count) => window.tact.player.count > count, before);
}

async function playsFile(page) {
  check(await page.isHidden('#live'), 'a file has no panel of a simulation');
  await page.keyboard.press('Space');
  await until(page, () => window.tact.player.position >= 2);
  await page.keyboard.press('Space');
  await page.evaluate(() => window.tact.player.goTo(16));
  await until(page, () => window.tact.player.position === 16);
  await picture(page, 'file');
}

async function main() {
  if (pictures) mkdirSync(pictures, {recursive: true});
  const run = resolve(folder, 'run'), problems = resolve(folder, 'problems');
  await tactRun(tact, ['falling-cloth', ...SIZE, '--time', '1.2', '--every', '10', '-o', run, '--overwrite']);
  const file = await exportHtml(tact, run, resolve(folder, 'html'));
  const args = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
  const browser = await chromium.launch({executablePath: chromiumPath, args});
  let failures = 0;
  const test = async (name, work) => {
    const start = Date.now();
    try {
      await work();
      console.log(`ok      ${name} (${Date.now() - start} ms)`);
    } catch (error) {
      ++failures;
      console.log(`FAILED  ${name}: ${error.message.split('\n')[0]}`);
    }
  };

  let view = await startView(tact, [run]);
  await test('no token or a foreign Origin: refused', () => refusals(view));
  let page = await open(browser, view.address);
  await test('a recording plays', () => playsRecording(page));
  await test('scrubbing and stepping land on the asked frame', () => scrubs(page));
  await test('overlays change pixels', () => overlaysChangePixels(page));
  await test('the certificate is told in words', () => tellsCertificate(page));
  await test('failures are in plain sight', () => showsFailures(page));
  await test('a lost connection is shown and recovers', async () => { view = await showsLostConnection(page, view); });
  check(page.errors.length === 0, `errors of the page: ${page.errors.join('; ')}`);
  await page.close();
  await view.stop();

  view = await startView(tact, ['falling-cloth', ...SIZE, '-o', problems]);
  page = await open(browser, view.address);
  await test('falling-cloth runs live and pauses', () => runsLive(page));
  await test('single steps, and back from memory', () => stepsLive(page));
  await test('another solver changes the curve', () => switchesSolver(page));
  await test('friction and step change while it runs', () => changesSettings(page));
  await test('the contact problem is saved', () => savesProblem(page, problems));
  await test('dragging moves a body', () => dragsBody(page));
  check(page.errors.length === 0, `errors of the page: ${page.errors.join('; ')}`);
  await page.close();
  await view.stop();

  page = await open(browser, `file://${file}`);
  await test('an exported file plays without a server', () => playsFile(page));
  check(page.errors.length === 0, `errors of the page: ${page.errors.join('; ')}`);
  await page.close();

  const growing = resolve(folder, 'growing');
  const grow = (more = []) => tactRun(tact,  // more steps than it can make before it is ended
    ['falling-cloth', ...SIZE, '--steps', '100000', '--checkpoint', '0', '-o', growing, ...more], {kill: true});
  await grow(['--overwrite']);
  view = await startView(tact, [growing]);
  page = await open(browser, view.address);
  await test('frames of a run under way come in', () => seesNewFrames(page, () => grow(['--resume'])));
  await page.close();
  await view.stop();

  await browser.close();
  return failures;
}

process.exit(await main() > 0 ? 1 : 0);
