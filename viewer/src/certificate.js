// What the certificate of a frame says, in words.

const ROUND_OFF = 1e-9;  // N s

const mm = (metres) => `${number(1000 * metres)} mm`;
const mmPerSecond = (speed) => `${number(1000 * speed)} mm/s`;

export function number(value) {
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 0.01 && size < 1e5 ? String(Number(value.toPrecision(3))) : value.toExponential(1);
}

const times = (count, one, many = `${one}s`) => (count === 1 ? `1 ${one}` : `${count} ${many}`);

// {good, verdict, findings: [{text, bad}]} of a frame's head; settings are those of the scene.
export function judge(head, settings) {
  const c = head.certificate;
  if (head.step === 0) return {good: true, verdict: 'The start: nothing has moved yet.', findings: []};
  const tolerance = head.tolerance ?? settings.tolerance;
  const findings = [];
  const tell = (text, bad = false) => findings.push({text, bad});

  if (c.clearance > 0) tell(`No surfaces touch: at least ${mm(c.clearance)} are between any two.`);
  if (c.contacts === 0) tell('Nothing is in contact.');
  else {
    tell(`${c.contacts} contacts in the problem, ${c.active} of them push.`);
    const missed = tolerance !== undefined && c.residual > tolerance;
    tell(`The laws of contact and motion hold to ${mmPerSecond(c.residual)}` +
      (tolerance === undefined ? '.' : ` (asked: ${mmPerSecond(tolerance)}).`), missed);
    tell(c.cone_violation > ROUND_OFF ? `Friction leaves its cone by ${number(c.cone_violation)} N s.` :
      'Friction stays within its cone.', c.cone_violation > ROUND_OFF);
    tell(`Momentum is kept to ${mmPerSecond(c.momentum)}.`);
  }
  tell(`${times(c.passes, 'pass', 'passes')} of refinement, ` +
    `${c.halvings === 0 ? 'no halving of the step' : times(c.halvings, 'halving') + ' of the step'}.`);
  if (c.unconverged > 0)
    tell(`The solver missed its tolerance in ${times(c.unconverged, 'solve')} of this step.`, true);
  if (c.cut > 0) tell(`The fail-safe had to slow bodies down (${times(c.cut, 'time')}).`, true);

  const good = !findings.some((finding) => finding.bad);
  return {good, verdict: good ? 'Sound: all that was asked holds.' : 'Not all that was asked holds.', findings};
}
