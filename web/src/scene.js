// SPDX-License-Identifier: BSD-3-Clause
// The robot in three dimensions, playing the estimated motion.
import {
  AmbientLight,
  ArrowHelper,
  Box3,
  Color,
  DirectionalLight,
  GridHelper,
  Group,
  Scene,
  Sphere,
  Vector3,
  WebGLRenderer,
} from "three";
import {colour} from "./colours.js";
import {button, el, missing} from "./dom.js";
import {plural} from "./format.js";
import {whenVisible} from "./lazy.js";
import {Motion} from "./motion.js";
import {Orbit} from "./orbit.js";
import {ellipsoidOf, place, RobotTree} from "./robot.js";
import {get, on, set} from "./state.js";

export const scene = {
  id: "scene",
  title: "Robot",
  caption:
    "The estimated motion at the time cursor. Arrows are contact forces; wire ellipsoids are the prior inertia of each link, solid ones the estimate. Ellipsoids larger than the robot are not drawn.",
  draw({result, signal}) {
    if (!result.scene)
      return missing(
        result.scene_missing ?? "This result holds no robot to draw (scene.json), so there is no 3D view.",
      );
    const canvas = el("canvas", {
      class: "view",
      tabindex: "0",
      role: "img",
      "aria-label": "3D view of the robot; arrow keys turn, plus and minus zoom, 0 resets, space plays",
    });
    const frame = el("div", {class: "view-frame"}, canvas);
    const checks = {
      prior: check("prior inertia", false),
      posterior: check("estimated inertia", true),
      forces: check("contact forces", true),
      shapes: check("shapes", true),
    };
    const absent = result.scene.missing ?? [];
    whenVisible(frame, () => {
      try {
        frame.view = new View(canvas, frame, result, checks, signal);
        return frame.view.loadMotion(get("trajectory"));
      } catch (error) {
        frame.replaceChildren(missing(`There is no 3D view: this browser has no WebGL (${error.message}).`));
      }
    });
    return [
      frame,
      el(
        "div",
        {class: "controls"},
        Object.values(checks).map((one) => one.label),
        button("reset view", "reset the 3D view", () => frame.view?.orbit.reset()),
      ),
      absent.length
        ? el("p", {class: "note"}, `Not found: ${plural(absent.length, "mesh file")}, the first is ${absent[0]}.`)
        : null,
    ];
  },
};

function check(text, value) {
  const input = el("input", {type: "checkbox"});
  input.checked = value;
  return {input, label: el("label", {class: "check"}, input, text)};
}

class View {
  constructor(canvas, frame, result, checks, signal) {
    Object.assign(this, {canvas, frame, result, checks});
    this.renderer = quietly(() => new WebGLRenderer({canvas, antialias: true, preserveDrawingBuffer: true}));
    this.isVisible = true;
    this.scene = new Scene();
    this.robot = new RobotTree(result.scene);
    this.arrows = new Group();
    const sun = new DirectionalLight(0xffffff, 2.2);
    sun.position.set(2, -3, 5);
    this.scene.add(this.robot.root, this.arrows, new AmbientLight(0xffffff, 1.4), sun);
    this.#addEllipsoids();
    this.orbit = new Orbit(canvas, () => this.render());
    this.#frame();
    this.#listen(signal);
    this.#recolour();
    this.resize();
  }

  async loadMotion(t) {
    const {series} = this.result;
    const contacts = (this.result.scene.contacts ?? []).map((one) => one.name);
    this.motion = series?.trajectories[t] ? await Motion.load(series, t, this.#jointNames(), contacts) : null;
    this.largest = this.#largestForce(contacts);
    this.show(get("time"), true);
  }

  #jointNames() {
    return [...new Set(this.robot.joints.flatMap((joint) => [joint.name, joint.mimic?.joint]).filter(Boolean))];
  }

  #largestForce(contacts) {
    let most = 0;
    for (const name of contacts) {
      const [x, y, z] = ["x", "y", "z"].map((row) => this.motion?.values.get(`lambda.${name}.${row}`));
      for (let i = 0; i < (z?.length ?? 0); ++i) {
        const force = Math.hypot(x?.[i] || 0, y?.[i] || 0, z[i]);
        if (force > most) most = force;
      }
    }
    return most;
  }

  show(t, isFirst = false) {
    if (this.motion) {
      this.motion.seek(t);
      this.robot.move((name) => this.motion.value(`q.${name}`, true));
      const pose = this.motion.pose();
      if (pose) this.#moveBase(pose, isFirst);
    } else {
      this.robot.move(() => null);
    }
    this.robot.root.updateMatrixWorld(true);
    if (isFirst) this.#frame();
    this.#drawForces();
    this.render();
  }

  /** The camera moves with the base. */
  #moveBase(pose, isFirst) {
    const before = this.robot.root.position.clone();
    this.robot.moveBase(pose);
    if (!isFirst) {
      this.orbit.target.add(this.robot.root.position.clone().sub(before));
      this.orbit.update();
    }
  }

  #drawForces() {
    this.arrows.clear();
    if (!this.motion || !this.checks.forces.input.checked || !(this.largest > 0)) return;
    for (const contact of this.result.scene.contacts ?? []) {
      const force = this.motion.force(contact.name);
      const link = this.robot.links.get(contact.link ?? contact.frame);
      const size = force ? Math.hypot(...force) : 0;
      if (!link || size < 1e-6 * this.largest) continue;
      const spot = place(new Group(), contact.origin);
      link.add(spot);
      spot.updateWorldMatrix(true, false);
      const start = new Vector3().setFromMatrixPosition(spot.matrixWorld);
      const direction = new Vector3(...force);
      if (contact.axes === "local") direction.transformDirection(spot.matrixWorld);
      link.remove(spot);
      const length = (0.8 * this.radius * size) / this.largest;
      this.arrows.add(
        new ArrowHelper(direction.normalize(), start, length, new Color(colour("force")), 0.2 * length, 0.1 * length),
      );
    }
  }

  #addEllipsoids() {
    this.ellipsoids = [];
    for (const one of this.result.document.inertias ?? []) {
      for (const [key, body, wire] of [
        ["prior", one.prior, true],
        ["posterior", one.value, false],
      ]) {
        const mesh = ellipsoidOf(body, new Color(colour(wire ? "nominal" : "identified")), wire);
        if (!mesh || !this.robot.links.has(one.link)) continue;
        this.robot.links.get(one.link).add(mesh);
        this.ellipsoids.push({key, mesh});
      }
    }
  }

  /** The whole robot in view. Ellipsoids of links that the data do not determine may be huge: they do not count, and those larger than the robot are not drawn. */
  #frame() {
    this.ellipsoids.forEach(({mesh}) => (mesh.visible = false));
    const box = new Box3();
    this.robot.root.updateMatrixWorld(true);
    this.robot.root.traverse((node) => {
      if (node.isMesh && node.visible) box.expandByObject(node);
      else box.expandByPoint(new Vector3().setFromMatrixPosition(node.matrixWorld));
    });
    const sphere = box.getBoundingSphere(new Sphere());
    this.radius = Math.max(sphere.radius, 1e-3);
    this.#addFloor(box.min.z);
    this.orbit.frame(sphere.center, this.radius);
    this.#applyChecks();
  }

  #addFloor(z) {
    if (this.floor) this.scene.remove(this.floor);
    const size = 10 ** Math.ceil(Math.log10(4 * this.radius));
    this.floor = new GridHelper(size, 20, new Color(colour("line")), new Color(colour("line"))).rotateX(Math.PI / 2);
    this.floor.position.z = this.result.scene.floating ? Math.min(0, z) : z;
    this.scene.add(this.floor);
  }

  #applyChecks() {
    for (const {key, mesh} of this.ellipsoids)
      mesh.visible = this.checks[key].input.checked && mesh.userData.radius < this.radius;
    const shown = this.checks.shapes.input.checked;
    const own = new Set(this.ellipsoids.map(({mesh}) => mesh));
    this.robot.root.traverse((node) => node.isMesh && !own.has(node) && (node.visible = shown));
    this.#drawForces();
    this.render();
  }

  #recolour() {
    this.scene.background = new Color(colour("panel"));
    for (const {key, mesh} of this.ellipsoids)
      mesh.material.color = new Color(colour(key === "prior" ? "nominal" : "identified"));
    this.#addFloor(this.floor.position.z);
    this.render();
  }

  resize() {
    const width = this.frame.clientWidth,
      height = this.frame.clientHeight;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.orbit.camera.aspect = width / height;
    this.orbit.update();
  }

  /** Once before the next frame, however many changes there were; not at all while out of sight. */
  render() {
    if (this.isWaiting || !this.isVisible) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.renderer.render(this.scene, this.orbit.camera);
    });
  }

  #listen(signal) {
    on("time", (t) => this.isVisible && this.show(t), signal);
    on("trajectory", (t) => this.loadMotion(t), signal);
    on("theme", () => this.#recolour(), signal);
    for (const {input} of Object.values(this.checks)) input.addEventListener("change", () => this.#applyChecks());
    this.canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === " ") set("playing", !get("playing"));
      else if (!this.orbit.onKey(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    const visibility = new IntersectionObserver(([entry]) => {
      this.isVisible = entry.isIntersecting || document.documentElement.classList.contains("printing");
      if (this.isVisible) this.show(get("time"));
    });
    visibility.observe(this.frame);
    const size = new ResizeObserver(() => this.resize());
    size.observe(this.frame);
    signal?.addEventListener(
      "abort",
      () => {
        visibility.disconnect();
        size.disconnect();
        this.renderer.dispose();
      },
      {once: true},
    );
  }
}

/** three.js reports a missing WebGL as an error on the console too: the page shows a sentence instead. */
function quietly(make) {
  const probe = document.createElement("canvas").getContext("webgl2");
  if (!probe) throw new Error("WebGL 2 is off");
  probe.getExtension("WEBGL_lose_context")?.loseContext();
  return make();
}
