// The panel of a live simulation: solver, step, friction, reset, saving the problem.

const byId = (id) => document.getElementById(id);

export class LiveSettings {
  // send(command)
  constructor(send) {
    this.send = send;
    byId('reset').addEventListener('click', () => send({do: 'reset'}));
    byId('save').addEventListener('click', () => send({do: 'save'}));
    byId('solver').addEventListener('change', () => send({do: 'set', solver: byId('solver').value}));
    byId('dt').addEventListener('change', () => send({do: 'set', dt: Number(byId('dt').value) / 1000}));
    byId('mu-slider').addEventListener('input', () => this.setFriction(byId('mu-slider').value));
    byId('mu').addEventListener('change', () => this.setFriction(byId('mu').value));
  }

  // An empty text: as the scene has it.
  setFriction(text) {
    this.send({do: 'set', mu: text === '' ? null : Number(text)});
  }

  setScene(head) {
    byId('solver').replaceChildren(...(head.solvers ?? []).map((name) => new Option(name, name)));
  }

  // What the simulation goes by now; fields that have the focus are the user's.
  show({settings}) {
    if (!settings) return;
    fill('solver', settings.solver);
    fill('dt', String(Number((1000 * settings.dt).toPrecision(6))));
    fill('mu', settings.mu === null ? '' : String(settings.mu));
    fill('mu-slider', String(settings.mu ?? settings.scene_mu));
  }
}

function fill(id, value) {
  const element = byId(id);
  if (document.activeElement !== element && element.value !== value) element.value = value;
}
