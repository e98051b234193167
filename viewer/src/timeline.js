// Play, pause, step, scrub and speed.

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

export class Timeline {
  constructor() {
    this.elements = Object.fromEntries(['first', 'back', 'play', 'forward', 'scrub', 'frame-number', 'speed']
      .map((id) => [id, document.getElementById(id)]));
    const {first, back, play, forward, scrub, speed} = this.elements;
    for (const value of SPEEDS) speed.add(new Option(String(value), String(value), value === 1, value === 1));
    first.addEventListener('click', () => this.player?.reset());
    back.addEventListener('click', () => this.player?.step(-1));
    forward.addEventListener('click', () => this.player?.step(1));
    play.addEventListener('click', () => this.player?.toggle());
    scrub.addEventListener('input', () => this.scrubTo(Number(scrub.value)));
    speed.addEventListener('change', () => this.player?.setSpeed(Number(speed.value)));
    for (const button of [first, back, play, forward])  // Space is for playing, not for the last button
      button.addEventListener('pointerup', () => button.blur());
  }

  setPlayer(player) {
    this.player = player;
    this.elements.first.title = player.live ? 'Back to the start (Backspace)' : 'To the first frame (Backspace)';
    this.update();
  }

  scrubTo(k) {
    if (this.player?.playing) this.player.pause();
    this.player?.goTo(k);
  }

  // by: 1 faster, -1 slower
  changeSpeed(by) {
    const {speed} = this.elements;
    speed.selectedIndex = Math.max(0, Math.min(SPEEDS.length - 1, speed.selectedIndex + by));
    this.player?.setSpeed(SPEEDS[speed.selectedIndex]);
  }

  update() {
    const {player, elements: {play, scrub, speed}} = this;
    if (!player) return;
    play.classList.toggle('playing', player.playing);
    play.setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
    speed.value = String(player.speed);
    scrub.max = String(Math.max(0, player.count - 1));
    scrub.value = String(player.position);
    this.elements['frame-number'].textContent = `${player.position} / ${Math.max(0, player.count - 1)}`;
  }
}
