// What cannot be seen of contact: points, forces and friction cones.

import * as THREE from 'three';

import {OVERLAY} from './looks.js';
import {contactAt, contactCount} from './protocol.js';
import {roundLength} from './stage.js';

const UP = new THREE.Vector3(0, 1, 0);
const STICK_SHARE = 0.98;  // of mu times the normal force: below that a contact sticks

// Of a contact: pushes not at all, holds, or slides.
export function contactState({normal, force, mu}) {
  const along = normal[0] * force[0] + normal[1] * force[1] + normal[2] * force[2];
  if (along <= 0) return 'open';
  const across = Math.hypot(force[0] - along * normal[0], force[1] - along * normal[1],
    force[2] - along * normal[2]);
  return across < STICK_SHARE * mu * along ? 'stick' : 'slip';
}

// Copies of one shape, as many as there are contacts.
class Copies {
  constructor(geometry, material) {
    this.geometry = geometry;
    this.material = material;
    this.group = new THREE.Group();
    this.reserve(64);
  }

  reserve(count) {
    if (this.mesh && this.mesh.instanceMatrix.count >= count) return;
    if (this.mesh) {
      this.group.remove(this.mesh);
      this.mesh.dispose();
    }
    this.mesh = new THREE.InstancedMesh(this.geometry, this.material, Math.ceil(1.5 * count));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
    this.mesh.count = 0;
    this.group.add(this.mesh);
  }

  begin(count) {
    this.reserve(count);
    this.mesh.count = 0;
  }

  add(matrix, color) {
    this.mesh.setMatrixAt(this.mesh.count, matrix);
    this.mesh.setColorAt(this.mesh.count, color);
    ++this.mesh.count;
  }

  end() {
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    this.mesh.boundingSphere = null;
  }
}

function cone(height) {
  // The point at the origin, open towards +y.
  return new THREE.ConeGeometry(1, 1, 20, 1, true).rotateX(Math.PI).translate(0, 0.5 * height, 0);
}

export class Overlays {
  constructor(stage) {
    this.stage = stage;
    this.shows = {points: true, forces: false, cones: false};
    this.scale = 1;  // of the lengths of forces, as the user likes it
    // Seen through bodies: contact is between them.
    const through = new THREE.MeshBasicMaterial({depthTest: false, transparent: true, opacity: 0.9});
    this.points = new Copies(new THREE.CylinderGeometry(1, 1, 0.3, 16), through);
    this.shafts = new Copies(new THREE.CylinderGeometry(0.35, 0.35, 1, 10).translate(0, 0.5, 0), through);
    this.heads = new Copies(new THREE.ConeGeometry(1, 1, 14).translate(0, 0.5, 0), through);
    this.cones = new Copies(cone(1), new THREE.MeshBasicMaterial(
      {transparent: true, opacity: 0.35, side: THREE.DoubleSide, depthWrite: false}));
    this.group = new THREE.Group();
    this.all = [this.points, this.shafts, this.heads, this.cones];
    this.group.add(...this.all.map((copies) => copies.group));
    stage.scene.add(this.group);
  }

  set(what, on) {
    this.shows[what] = on;
    if (this.arrays) this.show(this.arrays);
  }

  setScale(scale) {
    this.scale = scale;
    if (this.arrays) this.show(this.arrays);
  }

  // Metres a newton. Kept from frame to frame while arrows neither fill the picture nor vanish in it.
  lengthOfNewton(largest) {
    const {size} = this.stage;
    if (largest > 0) {
      const length = (this.newton ?? 0) * largest;
      if (length > 0.5 * size || length < 0.02 * size) this.newton = 0.15 * size / roundLength(largest);
    }
    return (this.newton ?? 0) * this.scale;
  }

  show(arrays) {
    this.arrays = arrays;
    const count = contactCount(arrays);
    let largest = 0;
    for (let k = 0; k < count; ++k) largest = Math.max(largest, Math.hypot(...contactAt(arrays, k).force));
    this.largest = largest;
    this.newtonLength = this.lengthOfNewton(largest);
    for (const copies of this.all) copies.begin(count);
    for (let k = 0; k < count; ++k) this.addContact(contactAt(arrays, k));
    for (const copies of this.all) copies.end();
    this.stage.redraw();
  }

  addContact(contact) {
    const state = contactState(contact);
    const at = new THREE.Vector3(...contact.point), normal = new THREE.Vector3(...contact.normal);
    const unit = 0.006 * this.stage.size;
    const upright = new THREE.Quaternion().setFromUnitVectors(UP, normal);
    const {shows} = this;
    if (shows.points) this.points.add(placed(at, upright, unit, unit, unit), OVERLAY[state]);
    if (shows.cones) {
      const height = 8 * unit, wide = contact.mu * height;
      this.cones.add(placed(at, upright, wide, height, wide), OVERLAY[state]);
    }
    if (shows.forces) this.addArrow(at, new THREE.Vector3(...contact.force), unit);
  }

  addArrow(at, force, unit) {
    const length = force.length() * this.newtonLength;
    if (!(length > 0)) return;
    const turn = new THREE.Quaternion().setFromUnitVectors(UP, force.clone().normalize());
    const head = Math.min(3 * unit, 0.5 * length), width = Math.min(unit, 0.3 * length);
    const neck = at.clone().addScaledVector(force, (length - head) / force.length());
    this.shafts.add(placed(at, turn, width, length - head, width), OVERLAY.force);
    this.heads.add(placed(neck, turn, width, head, width), OVERLAY.force);
  }

  // Which contact a ray meets, by its number, or -1.
  contactUnder(ray) {
    if (!this.shows.points || this.points.mesh.count === 0) return -1;
    const [hit] = ray.intersectObject(this.points.mesh);
    return hit ? hit.instanceId : -1;
  }

  // A length in pixels and what it stands for, where arrows are shown.
  legend() {
    const newtons = this.largest > 0 ? roundLength(this.largest) : 0;
    if (!this.shows.forces || newtons === 0) return undefined;
    const {camera, controls, canvas} = this.stage;
    const distance = camera.position.distanceTo(controls.target);
    const height = 2 * distance * Math.tan(0.5 * camera.fov * Math.PI / 180);
    return {newtons, pixels: newtons * this.newtonLength / height * canvas.clientHeight};
  }
}

const scratch = new THREE.Vector3();
function placed(at, turn, x, y, z) {
  return new THREE.Matrix4().compose(at, turn, scratch.set(x, y, z));
}
