// The socket to `tact view`. It comes back by itself: messages stop, and start again with the scene.

import {readMessage} from './protocol.js';

const FIRST_WAIT = 300, LONGEST_WAIT = 3000;  // ms between attempts

export class Connection {
  // handlers: onMessage({head, arrays}), onLost(seconds since), onFound()
  constructor(address, handlers) {
    this.address = address;
    this.handlers = handlers;
    this.wait = FIRST_WAIT;
    this.open();
  }

  open() {
    const socket = new WebSocket(this.address, 'tact');
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.lostSince = undefined;
      this.handlers.onFound();
    };
    socket.onmessage = (event) => this.handlers.onMessage(readMessage(event.data));
    socket.onclose = () => this.lose();
    this.socket = socket;
  }

  lose() {
    this.lostSince ??= performance.now();
    this.handlers.onLost((performance.now() - this.lostSince) / 1000);
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(LONGEST_WAIT, 1.5 * this.wait);
  }

  send(command) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }
}
