// SPDX-License-Identifier: BSD-3-Clause
// The solid ellipsoid of uniform density that has a body's mass, centre of mass and inertia.

/** Covariance of its mass, Σ = ½ tr(I) 1 - I, times 5/m: x ᵀ S⁻¹ x = 1 is its surface. Null without mass, centre or inertia. */
export function shapeOf(body) {
  const {mass, com, inertia} = body ?? {};
  if (!(mass > 0) || !Array.isArray(com) || !Array.isArray(inertia)) return null;
  const [ixx, ixy, ixz, iyy, iyz, izz] = inertia;
  const half = (ixx + iyy + izz) / 2;
  const s = 5 / mass;
  const S = [
    [s * (half - ixx), -s * ixy, -s * ixz],
    [-s * ixy, s * (half - iyy), -s * iyz],
    [-s * ixz, -s * iyz, s * (half - izz)],
  ];
  const {values, vectors} = eigen3(S);
  const isPossible = values.every((value) => value > -1e-9 * Math.max(...values));
  return {S, com, axes: values.map((value) => Math.sqrt(Math.max(0, value))), vectors, isPossible};
}

/** Eigenvalues and eigenvectors (columns) of a symmetric 3 × 3 matrix by Jacobi rotations. */
export function eigen3(matrix) {
  const A = matrix.map((row) => [...row]);
  const V = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  for (let sweep = 0; sweep < 30; ++sweep) {
    let rest = 0;
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      rest += Math.abs(A[p][q]);
      if (A[p][q] === 0) continue;
      const angle = 0.5 * Math.atan2(2 * A[p][q], A[q][q] - A[p][p]);
      rotate(A, V, p, q, Math.cos(angle), Math.sin(angle));
    }
    if (rest < 1e-18 * (Math.abs(A[0][0]) + Math.abs(A[1][1]) + Math.abs(A[2][2]))) break;
  }
  return {values: [A[0][0], A[1][1], A[2][2]], vectors: V};
}

function rotate(A, V, p, q, c, s) {
  for (let k = 0; k < 3; ++k) [A[k][p], A[k][q]] = [c * A[k][p] - s * A[k][q], s * A[k][p] + c * A[k][q]];
  for (let k = 0; k < 3; ++k) [A[p][k], A[q][k]] = [c * A[p][k] - s * A[q][k], s * A[p][k] + c * A[q][k]];
  for (let k = 0; k < 3; ++k) [V[k][p], V[k][q]] = [c * V[k][p] - s * V[k][q], s * V[k][p] + c * V[k][q]];
}

/** Outline along an axis: half axes and angle of the ellipse in the plane (i, j). */
export function outline({S}, i, j) {
  const a = S[i][i],
    b = S[j][j],
    c = S[i][j];
  const middle = (a + b) / 2,
    half = Math.hypot((a - b) / 2, c);
  return {
    r1: Math.sqrt(Math.max(0, middle + half)),
    r2: Math.sqrt(Math.max(0, middle - half)),
    angle: 0.5 * Math.atan2(2 * c, a - b),
  };
}
