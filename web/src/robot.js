// SPDX-License-Identifier: BSD-3-Clause
// The robot of scene.json as a tree of three.js objects: forward kinematics is the tree.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Group,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import {shapeOf} from "./ellipsoid.js";

export class RobotTree {
  constructor(scene) {
    this.root = new Group();
    this.links = new Map((scene.links ?? []).map((link) => [link.name, new Group()]));
    this.joints = [];
    const meshes = (scene.meshes ?? []).map(geometryOf);
    for (const link of scene.links ?? []) {
      for (const visual of link.visuals ?? []) {
        const made = visualOf(visual, meshes);
        if (made) this.links.get(link.name).add(made);
      }
    }
    this.#connect(scene);
    const isDrawn = (scene.links ?? []).some((link) => link.visuals?.length) && !scene.missing?.length;
    if (!isDrawn) this.#drawSticks(scene);
  }

  #connect(scene) {
    const hasParent = new Set();
    for (const joint of scene.joints ?? []) {
      const parent = this.links.get(joint.parent),
        child = this.links.get(joint.child);
      if (!parent || !child || hasParent.has(joint.child) || isAbove(child, parent)) continue;
      hasParent.add(joint.child);
      const frame = place(new Group(), joint.origin);
      const moved = new Group();
      parent.add(frame);
      frame.add(moved);
      moved.add(child);
      this.joints.push({...joint, moved, axis: new Vector3(...(joint.axis ?? [0, 0, 1])).normalize()});
    }
    for (const [name, link] of this.links) if (!hasParent.has(name)) this.root.add(link);
  }

  /** No shapes in the robot's file, or some are missing: lines from joint to joint. */
  #drawSticks() {
    this.root.updateMatrixWorld(true);
    const size = Math.max(0.05, ...this.joints.map((joint) => joint.moved.parent.position.length()));
    const material = new MeshStandardMaterial({color: 0x8899aa});
    for (const {moved} of this.joints) {
      const frame = moved.parent;
      frame.add(new Mesh(new SphereGeometry(0.06 * size, 16, 12), material));
      const length = frame.position.length();
      if (length < 1e-6) continue;
      const stick = new Mesh(new CylinderGeometry(0.03 * size, 0.03 * size, length, 12), material);
      stick.position.copy(frame.position).multiplyScalar(0.5);
      stick.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), frame.position.clone().normalize());
      frame.parent.add(stick);
    }
  }

  /** positions(name) → number or null; a joint without a position keeps the one of the scene, else zero. */
  move(positions) {
    for (const joint of this.joints) {
      const {mimic} = joint;
      let q = positions(joint.name);
      if (q === null && mimic) {
        const leader = positions(mimic.joint);
        if (leader !== null) q = (mimic.multiplier ?? 1) * leader + (mimic.offset ?? 0);
      }
      q ??= joint.position ?? 0;
      if (joint.type === "prismatic") joint.moved.position.copy(joint.axis).multiplyScalar(q);
      else if (joint.type === "revolute" || joint.type === "continuous")
        joint.moved.quaternion.setFromAxisAngle(joint.axis, q);
    }
  }

  moveBase(pose) {
    this.root.position.set(pose[0], pose[1], pose[2]);
    this.root.quaternion.set(pose[3], pose[4], pose[5], pose[6]).normalize();
  }
}

function isAbove(link, other) {
  for (let node = other; node; node = node.parent) if (node === link) return true;
  return false;
}

export function place(node, origin) {
  if (!origin) return node;
  node.position.set(origin[0], origin[1], origin[2]);
  node.quaternion.copy(new Quaternion(origin[3], origin[4], origin[5], origin[6]).normalize());
  return node;
}

function bytesOf(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

function geometryOf(mesh) {
  if (!mesh?.vertices) return null;
  const out = new BufferGeometry();
  out.setAttribute("position", new BufferAttribute(new Float32Array(bytesOf(mesh.vertices).buffer), 3));
  if (mesh.triangles) out.setIndex(new BufferAttribute(new Uint32Array(bytesOf(mesh.triangles).buffer), 1));
  out.computeVertexNormals();
  return out;
}

function visualOf(visual, meshes) {
  const geometry = {
    box: () => new BoxGeometry(...visual.size),
    sphere: () => new SphereGeometry(visual.radius, 32, 20),
    cylinder: () => new CylinderGeometry(visual.radius, visual.radius, visual.length, 32).rotateX(Math.PI / 2),
    capsule: () => new CapsuleGeometry(visual.radius, visual.length, 8, 24).rotateX(Math.PI / 2),
    mesh: () => meshes[visual.mesh],
  }[visual.type]?.();
  if (!geometry) return null;
  const [r, g, b, a] = visual.color ?? [0.7, 0.72, 0.75, 1];
  const material = new MeshStandardMaterial({
    roughness: 0.75,
    metalness: 0.05,
    transparent: a < 1,
    opacity: a ?? 1,
    flatShading: visual.type === "mesh",
  });
  material.color.setRGB(r, g, b);
  const out = place(new Mesh(geometry, material), visual.origin);
  if (visual.scale) out.scale.set(...visual.scale);
  return out;
}

/** A body as an ellipsoid in the frame of its link; null when it has none. */
export function ellipsoidOf(body, colour, wireframe) {
  const shape = shapeOf(body);
  if (!shape || !shape.isPossible) return null;
  const material = new MeshStandardMaterial({
    color: colour,
    transparent: true,
    opacity: wireframe ? 0.5 : 0.35,
    wireframe,
    depthWrite: false,
  });
  const out = new Mesh(new SphereGeometry(1, 24, 16), material);
  const V = shape.vectors,
    a = shape.axes.map((axis) => Math.max(axis, 1e-4));
  const determinant =
    V[0][0] * (V[1][1] * V[2][2] - V[1][2] * V[2][1]) -
    V[0][1] * (V[1][0] * V[2][2] - V[1][2] * V[2][0]) +
    V[0][2] * (V[1][0] * V[2][1] - V[1][1] * V[2][0]);
  const s = determinant < 0 ? -1 : 1;
  out.userData.radius = Math.max(...a);
  out.matrixAutoUpdate = false;
  out.matrix = new Matrix4().set(
    a[0] * V[0][0],
    a[1] * V[0][1],
    s * a[2] * V[0][2],
    shape.com[0],
    a[0] * V[1][0],
    a[1] * V[1][1],
    s * a[2] * V[1][2],
    shape.com[1],
    a[0] * V[2][0],
    a[1] * V[2][1],
    s * a[2] * V[2][2],
    shape.com[2],
    0,
    0,
    0,
    1,
  );
  return out;
}
