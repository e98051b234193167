// Follows a simulation, and keeps its last frames to step back to.

const MOST_FRAMES = 600;
const MOST_BYTES = 96e6;

export class LivePlayer {
  constructor(connection, {onFrame, onState}) {
    Object.assign(this, {connection, onFrame, onState});
    this.live = true;
    this.playing = false;
    this.speed = 1;
    this.history = [];
    this.bytes = 0;
    this.at = -1;  // the frame shown, in the history
    this.ask(-1);
  }

  get count() { return this.history.length; }
  get position() { return Math.max(0, this.at); }
  get newest() { return this.history[this.history.length - 1]; }
  get following() { return this.at === this.count - 1; }

  // The next frame, once there is one newer than this.
  ask(serial) {
    this.connection.send({after: serial});
  }

  take(frame) {
    const {head} = frame;
    const following = this.following;
    if (this.newest && head.step < this.newest.head.step) this.forget();  // it was reset
    if (this.newest && head.step === this.newest.head.step) this.drop(this.count - 1);
    this.keep(frame);
    this.playing = head.running;
    if (following || this.playing) this.show(this.count - 1);
    this.onState();
    this.ask(head.serial);
  }

  keep(frame) {
    this.history.push(frame);
    this.bytes += size(frame);
    while (this.count > 1 && (this.count > MOST_FRAMES || this.bytes > MOST_BYTES)) {
      this.drop(0);
      --this.at;
    }
  }

  drop(k) {
    const [gone] = this.history.splice(k, 1);
    this.bytes -= size(gone);
  }

  forget() {
    this.history = [];
    this.bytes = 0;
    this.at = -1;
  }

  show(k) {
    this.at = Math.max(0, Math.min(this.count - 1, k));
    if (this.count > 0) this.onFrame(this.history[this.at], this.at);
  }

  goTo(k) {
    if (this.playing) this.pause();
    this.show(k);
  }

  toggle() { this.playing ? this.pause() : this.play(); }
  play() { this.connection.send({do: 'run'}); }
  pause() { this.connection.send({do: 'pause'}); }
  reset() { this.connection.send({do: 'reset'}); }

  setSpeed(speed) {
    this.speed = speed;
    this.connection.send({do: 'set', speed});
    this.onState();
  }

  step(by) {
    if (by < 0 || !this.following) this.goTo(this.at + by);
    else this.connection.send({do: 'step'});
  }

  tick() {}
}

// Arrays of a frame are views of one message.
const size = (frame) => frame.arrays.positions.buffer.byteLength;
