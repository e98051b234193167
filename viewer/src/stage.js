// Camera, light, ground and the loop that draws when there is something new.

import * as THREE from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';

const VIEW_DIRECTION = new THREE.Vector3(0.55, 0.42, 0.95).normalize();  // from the target to the eye
const GROUND_THICKNESS = 0.25;  // of its lesser width: an obstacle as flat as that may be ground
const LARGEST_OBSTACLE = 4;     // times the size of what moves: larger ones do not count for the camera

export class Stage {
  // plain: no shadows, no smoothed edges, one sample a pixel.
  constructor(canvas, {plain}) {
    this.canvas = canvas;
    this.plain = plain;
    this.renderer = new THREE.WebGLRenderer({canvas, antialias: !plain, preserveDrawingBuffer: plain});
    this.renderer.shadowMap.enabled = !plain;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => this.redraw());
    this.addLights();
    this.beforeDraw = [];
    this.dirty = true;
    this.drawn = 0;  // pictures so far
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.applyTheme());
    this.applyTheme();
    this.resize();
  }

  addLights() {
    this.sky = new THREE.HemisphereLight(0xffffff, 0x8a8478, 1.5);
    this.key = new THREE.DirectionalLight(0xffffff, 2.2);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(2048, 2048);
    this.key.shadow.bias = -0.0004;
    this.key.shadow.normalBias = 0.02;
    this.scene.add(this.sky, this.key, this.key.target);
  }

  applyTheme() {
    const sky = getComputedStyle(document.documentElement).getPropertyValue('--sky').trim();
    this.scene.background = new THREE.Color(sky);
    this.redraw();
  }

  resize() {
    const {clientWidth: width, clientHeight: height} = this.canvas.parentElement;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(this.plain ? 1 : Math.min(2, devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.redraw();
  }

  redraw() {
    this.dirty = true;
  }

  // To be called for every picture of the screen.
  draw() {
    if (!this.dirty) return;
    this.dirty = false;
    for (const prepare of this.beforeDraw) prepare();
    this.renderer.render(this.scene, this.camera);
    ++this.drawn;
  }

  // Puts up a new scene. camera: {from, to, field_of_view} or undefined.
  setBodies(bodies, camera) {
    if (this.bodies) {
      this.scene.remove(this.bodies.group, this.ground);
      this.bodies.dispose();
    }
    this.bodies = bodies;
    this.scene.add(bodies.group);
    this.survey();
    this.addGround();
    this.placeLight();
    this.sceneCamera = camera;
    this.lookAtAll();
  }

  // What moves, what is ground, and how large all that is.
  survey() {
    const {views} = this.bodies;
    const moving = new THREE.Box3();
    for (const view of views) if (view.body.kind !== 'obstacle') moving.union(view.worldBox());
    if (moving.isEmpty()) for (const view of views) moving.union(view.worldBox());
    if (moving.isEmpty()) moving.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3(1, 1, 1));
    const size = moving.getSize(new THREE.Vector3());
    const extent = Math.max(size.x, size.y, size.z);
    let top = -Infinity;
    const seen = moving.clone();
    for (const view of views) {
      if (view.body.kind !== 'obstacle') continue;
      const box = view.worldBox();
      view.isGround = isGround(box, moving);
      view.mesh.visible = !view.isGround;
      const side = box.getSize(new THREE.Vector3());
      if (view.isGround) top = Math.max(top, box.max.y);
      else if (Math.max(side.x, side.y, side.z) <= LARGEST_OBSTACLE * extent) seen.union(box);
      else view.mesh.castShadow = false;
    }
    this.groundHeight = Number.isFinite(top) ? top : seen.min.y;
    seen.min.y = Math.min(seen.min.y, this.groundHeight);
    this.seen = seen;
    this.size = Math.max(1e-3, seen.getSize(new THREE.Vector3()).length());
  }

  addGround() {
    const radius = 2.5 * this.size;
    const square = roundLength(this.size / 8);
    const geometry = new THREE.CircleGeometry(radius, 64);
    const checks = checkTexture();
    checks.repeat.setScalar(radius / square);
    const material = new THREE.MeshStandardMaterial({
      map: checks, alphaMap: fadeTexture(), transparent: true, roughness: 1, depthWrite: false,
    });
    this.ground = new THREE.Mesh(geometry, material);
    this.ground.rotation.x = -Math.PI / 2;
    const centre = this.seen.getCenter(new THREE.Vector3());
    // Squares start at multiples of their side.
    this.ground.position.set(2 * square * Math.round(centre.x / square / 2), this.groundHeight - 1e-4 * this.size,
      2 * square * Math.round(centre.z / square / 2));
    this.ground.receiveShadow = true;
    this.ground.renderOrder = -1;
    this.scene.add(this.ground);
    this.square = square;
  }

  placeLight() {
    const centre = this.seen.getCenter(new THREE.Vector3());
    this.key.target.position.copy(centre);
    this.key.position.copy(centre).addScaledVector(new THREE.Vector3(-0.45, 1.4, 0.75).normalize(), 2 * this.size);
    const shadow = this.key.shadow.camera;
    shadow.left = shadow.bottom = -this.size;
    shadow.right = shadow.top = this.size;
    shadow.near = 0.2 * this.size;
    shadow.far = 5 * this.size;
    shadow.updateProjectionMatrix();
    this.key.shadow.normalBias = 0.002 * this.size;
  }

  lookAtAll() {
    const {camera, controls} = this;
    camera.near = 0.005 * this.size;
    camera.far = 20 * this.size;
    if (this.sceneCamera) {
      camera.fov = this.sceneCamera.field_of_view ?? 40;
      camera.position.fromArray(this.sceneCamera.from);
      controls.target.fromArray(this.sceneCamera.to);
    } else {
      const centre = this.seen.getCenter(new THREE.Vector3());
      const half = 0.5 * camera.fov * Math.PI / 180;
      const narrow = Math.min(half, Math.atan(Math.tan(half) * camera.aspect));
      controls.target.copy(centre);
      // The box rather than the sphere around it: its corners are seldom in the way.
      camera.position.copy(centre).addScaledVector(VIEW_DIRECTION, 0.42 * this.size / Math.sin(narrow));
    }
    camera.updateProjectionMatrix();
    controls.update();
    this.redraw();
  }

  // The ray through a place of the canvas, given as a pointer event has it.
  rayAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const place = new THREE.Vector2(2 * (event.clientX - box.left) / box.width - 1,
      1 - 2 * (event.clientY - box.top) / box.height);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(place, this.camera);
    return ray;
  }
}

// A slab under everything that moves.
function isGround(box, moving) {
  const size = box.getSize(new THREE.Vector3());
  return size.y <= GROUND_THICKNESS * Math.min(size.x, size.z) && box.min.x <= moving.min.x &&
    box.max.x >= moving.max.x && box.min.z <= moving.min.z && box.max.z >= moving.max.z &&
    box.max.y <= 0.5 * (moving.min.y + moving.max.y);
}

// 1, 2 or 5 times a power of ten, next to the length from below.
export function roundLength(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return power * [5, 2, 1].find((factor) => factor * power <= length * (1 + 1e-9));
}

function drawn(size, draw) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  draw(canvas.getContext('2d'));
  return new THREE.CanvasTexture(canvas);
}

function checkTexture() {
  const texture = drawn(64, (context) => {
    context.fillStyle = '#c3c6cb';
    context.fillRect(0, 0, 64, 64);
    context.fillStyle = '#b4b8be';
    context.fillRect(0, 0, 32, 32);
    context.fillRect(32, 32, 32, 32);
  });
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.anisotropy = 8;
  return texture;
}

function fadeTexture() {
  return drawn(256, (context) => {
    const gradient = context.createRadialGradient(128, 128, 40, 128, 128, 128);
    gradient.addColorStop(0, '#fff');
    gradient.addColorStop(1, '#000');
    context.fillStyle = gradient;
    context.fillRect(0, 0, 256, 256);
  });
}
