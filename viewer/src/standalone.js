// A recording inside the page (src/tact/viewer/export_html.cpp writes it).

import {CONTACT_NUMBERS, readMessage} from './protocol.js';

const KEPT_CHUNKS = 4;  // unpacked at a time

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return readMessage(await new Response(stream).arrayBuffer());
}

// What vertex_track.hpp packs: differences from the motion of the vertex before, axis by axis, low
// bytes before high bytes.
function decodeTrack(bytes, frameSize) {
  const count = bytes.length / 2;
  const numbers = new Uint16Array(count);
  let stored = 0;
  for (let frame = 0; frame < count; frame += frameSize)
    for (let axis = 0; axis < 3; ++axis) {
      let moved = 0;
      for (let k = frame + axis; k < frame + frameSize; k += 3, ++stored) {
        const folded = bytes[stored] | bytes[count + stored] << 8;
        moved += folded >> 1 ^ -(folded & 1);
        numbers[k] = (frame > 0 ? numbers[k - frameSize] : 0) + moved;
      }
    }
  return numbers;
}

// The upper half of a float.
const wide = new DataView(new ArrayBuffer(4));
function widen(number) {
  wide.setUint32(0, number << 16);
  return wide.getFloat32(0);
}

function readContacts(numbers, box) {
  const wideNumbers = new Float32Array(numbers.length);
  for (let k = 0; k < numbers.length; ++k) {
    const part = k % CONTACT_NUMBERS;
    wideNumbers[k] = part < 3 ? box[part] + box[3 + part] * numbers[k] : widen(numbers[k]);
  }
  return wideNumbers;
}

// The frames of a chunk as the server would send them.
function framesOf({head, arrays}) {
  const count = head.heads.length;
  const frameSize = arrays.vertices.length / 2 / count;
  const positions = decodeTrack(arrays.vertices, frameSize);
  const poseSize = arrays.poses.length / count;
  const contactBox = arrays.boxes.subarray(arrays.boxes.length - 6);
  const boxes = arrays.boxes.subarray(0, arrays.boxes.length - 6);
  let contact = 0;
  return head.heads.map((frameHead, k) => {
    const first = contact;
    contact += frameHead.contacts;
    return {
      head: frameHead,
      arrays: {
        tracks: arrays.tracks,
        boxes,
        positions: positions.subarray(k * frameSize, (k + 1) * frameSize),
        poses: arrays.poses.subarray(k * poseSize, (k + 1) * poseSize),
        contacts: readContacts(
          arrays.contacts.subarray(CONTACT_NUMBERS * first, CONTACT_NUMBERS * contact), contactBox),
        contact_bodies: arrays.contact_bodies.subarray(2 * first, 2 * contact),
      },
    };
  });
}

class FileSource {
  constructor({times, chunk, chunks}) {
    Object.assign(this, {times, chunk, chunks});
    this.finished = true;
    this.unpacked = new Map();  // in the order of their last use
  }

  async get(k) {
    const number = Math.floor(k / this.chunk);
    const frames = this.unpacked.get(number) ?? framesOf(await unpack(this.chunks[number]));
    this.unpacked.delete(number);
    this.unpacked.set(number, frames);
    if (this.unpacked.size > KEPT_CHUNKS) this.unpacked.delete(this.unpacked.keys().next().value);
    return frames[k % this.chunk];
  }
}

// text: what the element in the page holds.
export async function openStandalone(text) {
  const recording = JSON.parse(text);
  return {scene: await unpack(recording.scene), source: new FileSource(recording)};
}
