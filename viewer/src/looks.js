// Colours of bodies by kind, those of `tact render`: rigid blue, soft orange, cloth red, obstacles grey.

import * as THREE from 'three';

const LOOKS = {
  cloth: {hue: 0.02, saturation: 0.66, value: 0.80, hueSpread: 0.05, valueSpread: 0.06, crease: 120},
  soft: {hue: 0.105, saturation: 0.62, value: 0.88, hueSpread: 0.025, valueSpread: 0.06, crease: 50},
  rigid: {hue: 0.58, saturation: 0.52, value: 0.72, hueSpread: 0.06, valueSpread: 0.10, crease: 40},
  obstacle: {hue: 0.58, saturation: 0.05, value: 0.74, hueSpread: 0.0, valueSpread: 0.05, crease: 40},
};

// In [-1, 1], different for neighbours: multiples of the golden ratio spread evenly.
function variation(number) {
  const turns = 0.618033988749895 * number;
  return 2 * (turns - Math.floor(turns)) - 1;
}

export function creaseAngle(kind) {
  return LOOKS[kind].crease;
}

export function bodyColor(kind, number) {
  const look = LOOKS[kind];
  const hue = look.hue + look.hueSpread * variation(number);
  const value = look.value + look.valueSpread * variation(3 * number + 1);
  const channel = (shift) => {
    const k = (shift + 6 * (hue - Math.floor(hue))) % 6;
    return value - value * look.saturation * Math.max(0, Math.min(k, 4 - k, 1));
  };
  return new THREE.Color().setRGB(channel(5), channel(3), channel(1), THREE.SRGBColorSpace);
}

// Overlays: told apart by those who do not see red and green alike (Okabe and Ito 2008).
export const OVERLAY = {
  point: new THREE.Color('#f0e442'),
  force: new THREE.Color('#d55e00'),
  stick: new THREE.Color('#0072b2'),
  slip: new THREE.Color('#e69f00'),
  open: new THREE.Color('#999999'),
  pull: new THREE.Color('#cc79a7'),
};
