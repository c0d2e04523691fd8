// SPDX-License-Identifier: BSD-3-Clause
// A camera that turns about a point, by mouse, touch and keyboard. z is up.
import {PerspectiveCamera, Vector3} from "three";

export class Orbit {
  constructor(canvas, onchange) {
    this.camera = new PerspectiveCamera(40, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    this.onchange = onchange;
    this.frame(new Vector3(), 1);
    this.#listen(canvas);
  }

  /** Looks at a sphere as a whole; also what reset goes back to. */
  frame(centre, radius) {
    this.home = {target: centre.clone(), distance: 2.9 * Math.max(radius, 1e-3), azimuth: -0.9, height: 0.35};
    this.reset();
  }

  reset() {
    Object.assign(this, {...this.home, target: this.home.target.clone()});
    this.update();
  }

  turn(azimuth, height) {
    this.azimuth += azimuth;
    this.height = Math.min(1.5, Math.max(-1.5, this.height + height));
    this.update();
  }

  zoom(factor) {
    this.distance = Math.min(20 * this.home.distance, Math.max(0.05 * this.home.distance, this.distance * factor));
    this.update();
  }

  move(right, up) {
    const across = new Vector3(Math.sin(this.azimuth), -Math.cos(this.azimuth), 0).multiplyScalar(
      -right * this.distance,
    );
    this.target.add(across).add(new Vector3(0, 0, up * this.distance));
    this.update();
  }

  update() {
    const flat = Math.cos(this.height) * this.distance;
    this.camera.position.set(
      this.target.x + flat * Math.cos(this.azimuth),
      this.target.y + flat * Math.sin(this.azimuth),
      this.target.z + Math.sin(this.height) * this.distance,
    );
    this.camera.near = this.distance / 100;
    this.camera.far = this.distance * 100;
    this.camera.lookAt(this.target);
    this.camera.updateProjectionMatrix();
    this.onchange();
  }

  #listen(canvas) {
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      canvas.focus({preventScroll: true});
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons === 0) return;
      if (event.buttons === 1 && !event.shiftKey) this.turn(-0.008 * event.movementX, 0.008 * event.movementY);
      else this.move(-0.0015 * event.movementX, 0.0015 * event.movementY);
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (document.activeElement !== canvas && !event.ctrlKey) return; // else the wheel scrolls the page
        event.preventDefault();
        this.zoom(event.deltaY > 0 ? 1.12 : 1 / 1.12);
      },
      {passive: false},
    );
  }

  /** True when the key was one of the view's. */
  onKey(key) {
    const actions = {
      ArrowLeft: () => this.turn(-0.1, 0),
      ArrowRight: () => this.turn(0.1, 0),
      ArrowUp: () => this.turn(0, 0.1),
      ArrowDown: () => this.turn(0, -0.1),
      "+": () => this.zoom(1 / 1.2),
      "=": () => this.zoom(1 / 1.2),
      "-": () => this.zoom(1.2),
      0: () => this.reset(),
    };
    actions[key]?.();
    return key in actions;
  }
}
