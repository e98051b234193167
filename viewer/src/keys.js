// Keys as in MuJoCo's viewer, where it has one for the purpose.

const HELP = [
  ['Space', 'play or pause'],
  ['← →', 'a frame back or on; at the newest frame of a simulation, one step'],
  ['Backspace', 'reset'],
  ['- =', 'slower, faster'],
  ['C  F  K', 'contact points, forces, friction cones'],
  ['W  T', 'wireframe, transparent bodies'],
  ['Home', 'show all that moves'],
  ['Tab', 'panels on or off'],
  ['F1  ?', 'this list'],
  ['drag', 'turn; with the right button move; the wheel zooms'],
  ['Ctrl + drag', 'pull a body of a simulation'],
];

export function bindKeys(actions) {
  const help = document.getElementById('help');
  help.innerHTML = '<h2>Keys and mouse</h2><table></table><form method="dialog"><button>Close</button></form>';
  const table = help.querySelector('table');
  for (const [keys, meaning] of HELP) {
    const row = table.insertRow();
    for (const key of keys.split('  ')) {
      const kbd = document.createElement('kbd');
      kbd.textContent = key;
      if (!row.cells.length) row.insertCell();
      row.cells[0].append(kbd, ' ');
    }
    row.insertCell().textContent = meaning;
  }
  const showHelp = () => (help.open ? help.close() : help.showModal());
  document.getElementById('help-button').addEventListener('click', showHelp);

  const bindings = {
    ' ': actions.toggle,
    ArrowLeft: () => actions.step(-1),
    ArrowRight: () => actions.step(1),
    Backspace: actions.reset,
    '-': () => actions.changeSpeed(-1),
    '=': () => actions.changeSpeed(1),
    '+': () => actions.changeSpeed(1),
    c: () => actions.show('points'),
    f: () => actions.show('forces'),
    k: () => actions.show('cones'),
    w: () => actions.show('wireframe'),
    t: () => actions.show('transparent'),
    Home: actions.lookAtAll,
    Tab: actions.togglePanels,
    F1: showHelp,
    '?': showHelp,
  };
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
    const action = bindings[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || (help.open && event.key !== 'F1' && event.key !== '?')) return;
    event.preventDefault();
    action();
  });
}

// Keys that a field needs for itself. The slider of the timeline leaves the arrows to us.
function isTyping(element) {
  if (element.id === 'scrub' || element.type === 'checkbox') return false;
  return ['INPUT', 'SELECT', 'TEXTAREA'].includes(element.tagName);
}
