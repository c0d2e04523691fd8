// SPDX-License-Identifier: BSD-3-Clause
// Work done when a node comes into view: a page with a thousand charts opens at once.

const pending = new Map(); // node → work
const running = new Set();
const watcher = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) if (entry.isIntersecting) start(entry.target);
  },
  {rootMargin: "400px 0px"},
);

function start(node) {
  const work = pending.get(node);
  if (!work) return;
  pending.delete(node);
  watcher.unobserve(node);
  const promise = Promise.resolve()
    .then(work)
    .catch((error) => {
      node.replaceChildren(`This could not be drawn: ${error.message}`);
      console.error(error);
    })
    .finally(() => running.delete(promise));
  running.add(promise);
}

export function whenVisible(node, work) {
  pending.set(node, work);
  watcher.observe(node);
}

/** Draws all that waits, for printing. */
export async function drawAll() {
  for (const node of [...pending.keys()]) {
    if (node.isConnected) start(node);
    else pending.delete(node);
  }
  await Promise.all([...running]);
}

/** Before a node is thrown away: nothing below it needs drawing any more. */
export function forget(root) {
  for (const node of [...pending.keys()]) {
    if (!root.contains(node)) continue;
    pending.delete(node);
    watcher.unobserve(node);
  }
}
