// Plays frames that exist already: of a recording behind the server, or of one inside the page.
//
// A source has times (s, one a frame), finished, and get(k), which promises frame k. One frame is asked
// for at a time: whoever is slow skips frames.

const LOOK_AGAIN = 1000;  // ms: for frames that a run under way has written since

export class RecordingPlayer {
  // onFrame({head, arrays}, k); onState() when playing, speed or the number of frames have changed.
  constructor(source, {onFrame, onState}) {
    Object.assign(this, {source, onFrame, onState});
    this.live = false;
    this.playing = false;
    this.speed = 1;
    this.shown = -1;
    this.wanted = 0;
    this.busy = false;
    this.goTo(0);
    if (!source.finished) this.follow();
  }

  get count() { return this.source.times.length; }
  get position() { return Math.max(0, this.shown); }

  // Shows frame k as soon as it is there.
  goTo(k) {
    this.wanted = Math.max(0, Math.min(this.count - 1, Math.round(k)));
    this.anchor();
    this.fetch();
  }

  async fetch() {
    if (this.busy) return;
    this.busy = true;
    const k = this.wanted;
    try {
      const frame = await this.source.get(k);
      if (frame) {
        this.shown = k;
        this.onFrame(frame, k);
      }
    } finally {
      this.busy = false;
    }
    if (this.wanted !== k) this.fetch();
  }

  // From here the clock runs.
  anchor() {
    this.start = {wall: performance.now(), t: this.source.times[this.wanted] ?? 0};
  }

  toggle() { this.playing ? this.pause() : this.play(); }

  play() {
    if (this.wanted >= this.count - 1 && this.source.finished) this.wanted = 0;
    this.playing = true;
    this.anchor();
    this.onState();
  }

  pause() {
    this.playing = false;
    this.onState();
  }

  setSpeed(speed) {
    this.speed = speed;
    this.anchor();
    this.onState();
  }

  step(by) {
    this.pause();
    this.goTo(this.wanted + by);
  }

  reset() {
    this.pause();
    this.goTo(0);
  }

  // To be called for every picture of the screen.
  tick() {
    if (!this.playing) return;
    const t = this.start.t + this.speed * (performance.now() - this.start.wall) / 1000;
    const {times} = this.source;
    let k = this.wanted;
    while (k + 1 < times.length && times[k + 1] <= t) ++k;
    if (k !== this.wanted) {
      this.wanted = k;
      this.fetch();
    }
    if (k >= times.length - 1) {
      if (this.source.finished) this.pause();
      else this.anchor();  // wait for what is still being computed
    }
  }

  follow() {
    setTimeout(async () => {
      const before = this.count;
      await this.source.refresh(this.position);
      if (this.count !== before || this.source.finished) this.onState();
      if (!this.source.finished) this.follow();
    }, LOOK_AGAIN);
  }
}

// Frames of a recording behind the server.
export class ServerSource {
  constructor(connection, scene) {
    this.connection = connection;
    this.times = scene.times;
    this.finished = scene.finished;
    this.waiting = [];
  }

  get(k) {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length === 1) this.ask(k);
      else this.next = k;
    });
  }

  refresh(k) {
    return this.waiting.length > 0 ? Promise.resolve() : this.get(k);
  }

  ask(k) {
    this.connection.send({frame: k, after: this.times.length - 1});
  }

  // A frame has come.
  take(frame) {
    this.times.push(...frame.head.new_times.slice(this.times.length - frame.head.first_new));
    this.finished = frame.head.finished;
    this.waiting.shift()?.(frame);
    if (this.waiting.length > 0) this.ask(this.next);
  }

  // The connection was lost, and with it all answers.
  drop() {
    for (const resolve of this.waiting.splice(0)) resolve(undefined);
  }
}
