// Messages of the server: a JSON head and named arrays (src/tact/viewer/message.hpp).

const types = {f32: Float32Array, u32: Uint32Array, i32: Int32Array, u16: Uint16Array, u8: Uint8Array};

export function readMessage(buffer) {
  const size = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
  const arrays = {};
  for (const [name, [type, offset, count]] of Object.entries(head.arrays))
    arrays[name] = new types[type](buffer, 4 + size + offset, count);
  return {head, arrays};
}

// How a body is told in a frame (BodyTrack).
export const TRACK_POSE = 0;

// Twelve numbers a contact.
export const CONTACT_NUMBERS = 12;

export function contactAt(arrays, index) {
  const n = arrays.contacts.subarray(CONTACT_NUMBERS * index, CONTACT_NUMBERS * (index + 1));
  return {
    point: n.subarray(0, 3),
    normal: n.subarray(3, 6),
    force: n.subarray(6, 9),
    mu: n[9],
    gap: n[10],
    slip: n[11],
    bodies: arrays.contact_bodies.subarray(2 * index, 2 * index + 2),
  };
}

export const contactCount = (arrays) => arrays.contacts.length / CONTACT_NUMBERS;
