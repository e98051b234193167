// The bodies as three.js meshes, moved from frame to frame.

import * as THREE from 'three';

import {findNormals, splitCreases} from './creases.js';
import {bodyColor, creaseAngle} from './looks.js';
import {TRACK_POSE} from './protocol.js';

class BodyView {
  constructor(body, number, triangles, start) {
    this.body = body;
    this.number = number;
    this.start = start;
    this.color = bodyColor(body.kind, number);
    const {index, source} = splitCreases(triangles, start, body.vertices, creaseAngle(body.kind));
    this.index = index;
    this.source = source;
    this.geometry = new THREE.BufferGeometry();
    const attribute = () => new THREE.BufferAttribute(new Float32Array(3 * source.length), 3);
    this.geometry.setAttribute('position', attribute());
    this.geometry.setAttribute('normal', attribute());
    this.geometry.setIndex(new THREE.BufferAttribute(index, 1));
    this.mesh = new THREE.Mesh(this.geometry, makeMaterial(body.kind, this.color));
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.userData.body = number;
    this.mesh.matrixAutoUpdate = false;
    this.shown = new Float32Array(start);  // vertices in the world, as last set
    this.posed = false;                    // the geometry is that of the start
    this.place(start);
  }

  // positions: three numbers a vertex of the body, in the world.
  place(positions) {
    const target = this.geometry.attributes.position.array;
    const {source} = this;
    for (let i = 0; i < source.length; ++i) {
      const from = 3 * source[i], to = 3 * i;
      target[to] = positions[from];
      target[to + 1] = positions[from + 1];
      target[to + 2] = positions[from + 2];
    }
    findNormals(this.index, target, this.geometry.attributes.normal.array);
    this.geometry.attributes.position.needsUpdate = true;
    this.geometry.attributes.normal.needsUpdate = true;
    this.geometry.computeBoundingSphere();
    this.geometry.boundingBox = null;
  }

  setPose(pose) {
    if (!this.posed) this.place(this.start);
    this.posed = true;
    const turn = new THREE.Quaternion(pose[0], pose[1], pose[2], pose[3]);
    this.mesh.matrix.compose(new THREE.Vector3(pose[4], pose[5], pose[6]), turn, new THREE.Vector3(1, 1, 1));
    this.mesh.matrixWorldNeedsUpdate = true;
  }

  setVertices(numbers, box) {
    const {shown} = this;
    for (let k = 0; k < shown.length; ++k) shown[k] = box[k % 3] + box[3 + k % 3] * numbers[k];
    this.posed = false;
    this.mesh.matrix.identity();
    this.mesh.matrixWorldNeedsUpdate = true;
    this.place(shown);
  }

  // Where a vertex is now.
  vertex(number, target) {
    const from = this.posed ? this.start : this.shown;
    return target.fromArray(from, 3 * number).applyMatrix4(this.mesh.matrix);
  }

  worldBox() {
    return new THREE.Box3().setFromBufferAttribute(this.geometry.attributes.position)
      .applyMatrix4(this.mesh.matrix);
  }

  dispose() {
    this.geometry.dispose();
    this.mesh.material.dispose();
  }
}

function makeMaterial(kind, color) {
  const material = new THREE.MeshStandardMaterial({
    color, roughness: kind === 'cloth' ? 0.95 : 0.65, metalness: 0, side: THREE.DoubleSide,
    polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
  });
  if (kind === 'cloth')  // the back is darker
    material.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace(
        '#include <color_fragment>',
        '#include <color_fragment>\nif (!gl_FrontFacing) diffuseColor.rgb *= 0.55;');
    };
  return material;
}

export class Bodies {
  // scene: the message of that type.
  constructor({head, arrays}) {
    this.group = new THREE.Group();
    this.views = [];
    let triangle = 0, vertex = 0;
    head.bodies.forEach((body, number) => {
      const triangles = arrays.triangles.subarray(3 * triangle, 3 * (triangle + body.triangles));
      const start = arrays.start.subarray(3 * vertex, 3 * (vertex + body.vertices));
      triangle += body.triangles;
      vertex += body.vertices;
      const view = new BodyView(body, number, triangles, start);
      this.views.push(view);
      this.group.add(view.mesh);
    });
  }

  show({tracks, poses, boxes, positions}) {
    let pose = 0, box = 0, number = 0;
    this.views.forEach((view, k) => {
      if (tracks[k] === TRACK_POSE) {
        view.setPose(poses.subarray(pose, pose += 7));
        return;
      }
      const count = 3 * view.body.vertices;
      view.setVertices(positions.subarray(number, number + count), boxes.subarray(box, box += 6));
      number += count;
    });
  }

  forEachMaterial(change) {
    for (const view of this.views) change(view.mesh.material);
  }

  dispose() {
    for (const view of this.views) view.dispose();
  }
}
