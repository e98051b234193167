// Ctrl and drag pulls a body of a live simulation: a spring from the vertex nearest to where it was
// taken to where the pointer is, in the plane through that place that faces the camera.

import * as THREE from 'three';

import {OVERLAY} from './looks.js';

const SEND_EVERY = 30;  // ms

export class Drag {
  // send(command)
  constructor(stage, send) {
    this.stage = stage;
    this.send = send;
    this.sentAt = 0;
    const geometry = new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]);
    this.line = new THREE.Line(geometry, new THREE.LineBasicMaterial({color: OVERLAY.pull, depthTest: false}));
    this.line.visible = false;
    this.line.frustumCulled = false;
    this.line.renderOrder = 3;
    stage.scene.add(this.line);
    stage.beforeDraw.push(() => this.drawLine());
    // Before the camera's own handler, which would turn the view.
    stage.canvas.addEventListener('pointerdown', (event) => this.begin(event), {capture: true});
    stage.canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => this.end());
  }

  begin(event) {
    if (!this.enabled || !event.ctrlKey) return;
    const ray = this.stage.rayAt(event);
    const meshes = this.stage.bodies.views.filter((view) => view.body.kind !== 'obstacle' && view.mesh.visible)
      .map((view) => view.mesh);
    const [hit] = ray.intersectObjects(meshes);
    if (!hit) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.view = this.stage.bodies.views[hit.object.userData.body];
    const corners = [hit.face.a, hit.face.b, hit.face.c].map((corner) => this.view.source[corner]);
    const place = new THREE.Vector3();
    const distance = (vertex) => this.view.vertex(vertex, place).distanceTo(hit.point);
    this.vertex = corners.reduce((best, corner) => (distance(corner) < distance(best) ? corner : best));
    const facing = this.stage.camera.getWorldDirection(new THREE.Vector3());
    this.plane = new THREE.Plane().setFromNormalAndCoplanarPoint(facing, hit.point);
    this.target = hit.point.clone();
    this.line.visible = true;
    this.tell(true);
  }

  move(event) {
    if (!this.view) return;
    const place = this.stage.rayAt(event).ray.intersectPlane(this.plane, new THREE.Vector3());
    if (place) this.target.copy(place);
    this.tell(false);
    this.stage.redraw();
  }

  end() {
    if (!this.view) return;
    this.view = undefined;
    this.line.visible = false;
    this.send({do: 'release'});
    this.stage.redraw();
  }

  tell(now) {
    if (!now && performance.now() - this.sentAt < SEND_EVERY) return;
    this.sentAt = performance.now();
    this.send({do: 'pull', body: this.view.number, vertex: this.vertex, to: this.target.toArray()});
  }

  drawLine() {
    if (!this.view) return;
    const ends = this.line.geometry.attributes.position;
    const from = this.view.vertex(this.vertex, new THREE.Vector3());
    ends.setXYZ(0, from.x, from.y, from.z);
    ends.setXYZ(1, this.target.x, this.target.y, this.target.z);
    ends.needsUpdate = true;
  }
}
