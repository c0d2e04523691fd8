# SPDX-License-Identifier: BSD-3-Clause
"""Question: what does the same problem cost in a general tool, CasADi and IPOPT?

Double pendulum, efforts exact, 32 parameters: rigid-body dynamics written out here, multiple
shooting with states, disturbances and accelerations as variables, exact Hessian, MUMPS. The
parameters are written down once, or (--copies) once for each stage and held equal: a banded matrix.

    python bench/casadi_ipopt.py [--stages 200] [--copies] [--iterations 500] [--program build/bin/bench_export_problem]
"""

import argparse
import json
import pathlib
import subprocess
import time

import casadi as ca
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
OFFSET = ca.DM([0, 0.04, -0.5])  # of joint2 in link1, as in double_pendulum.urdf
AXIS = ca.DM([0, 1, 0])
INERTIA = ["log_mass", "hx", "hy", "hz", "wx", "wy", "wz", "log_lx", "log_ly", "log_lz"]


def exp_rotation(w):
    """Exp ω without a division by zero at ω = 0."""
    square = ca.dot(w, w) + 1e-16
    angle = ca.sqrt(square)
    skew = ca.skew(w)
    return ca.SX.eye(3) + ca.sin(angle) / angle * skew + (1 - ca.cos(angle)) / square * skew @ skew


def rotation_y(angle):
    c, s = ca.cos(angle), ca.sin(angle)
    return ca.vertcat(ca.horzcat(c, 0, s), ca.horzcat(0, 1, 0), ca.horzcat(-s, 0, c))


def inertia(theta):
    """m, h and I about the origin of the link: docs/math/parameters.md (1)-(3)."""
    m, h, R = ca.exp(theta[0]), theta[1:4], exp_rotation(theta[4:7])
    L = ca.exp(theta[7:10])
    I_c = R @ ca.diag(ca.sum1(L) - L) @ R.T
    return m, h, I_c + (ca.dot(h, h) * ca.SX.eye(3) - h @ h.T) / m


def wrench(body, omega, alpha, acceleration):
    """Force and moment about the origin that the motion of a body needs."""
    m, h, I = body
    force = m * acceleration + ca.cross(alpha, h) + ca.cross(omega, ca.cross(omega, h))
    moment = I @ alpha + ca.cross(omega, I @ omega) + ca.cross(h, acceleration)
    return force, moment


def friction(v, mu):
    """docs/math/parameters.md (11); μ2 is γ2, the rest are logarithms."""
    g = [ca.exp(mu[i]) if i != 2 else mu[i] for i in range(6)]
    stribeck = g[0] * (ca.tanh(g[1] * v) - ca.tanh(g[2] * v))
    return stribeck + g[3] * ca.tanh(g[4] * v) + g[5] * v


def force_balance(q, v, a, tau, theta):
    """h of docs/math/dynamics.md (1)."""
    R1, R2 = rotation_y(q[0]), rotation_y(q[1])
    acc1 = R1.T @ ca.DM([0, 0, 9.81])
    w1, al1 = AXIS * v[0], AXIS * a[0]
    w2, al2 = AXIS * (v[0] + v[1]), AXIS * (a[0] + a[1])
    acc2 = R2.T @ (acc1 + ca.cross(al1, OFFSET) + ca.cross(w1, ca.cross(w1, OFFSET)))
    f2, n2 = wrench(inertia(theta[10:20]), w2, al2, acc2)
    _, n1 = wrench(inertia(theta[0:10]), w1, al1, acc1)
    n1 = n1 + R2 @ n2 + ca.cross(OFFSET, R2 @ f2)
    friction_torque = ca.vertcat(friction(v[0], theta[20:26]), friction(v[1], theta[26:32]))
    return ca.vertcat(n1[1], n2[1]) + friction_torque - tau


def stage_function():
    """Residual of the equalities of one stage, on local variables."""
    x, next_x, w = ca.SX.sym("x", 4), ca.SX.sym("x'", 4), ca.SX.sym("w", 4)
    a, tau, dt = ca.SX.sym("a", 2), ca.SX.sym("tau", 2), ca.SX.sym("dt")
    theta = ca.SX.sym("theta", 32)
    v_next = x[2:] + dt * a
    moved = ca.vertcat(x[:2] + dt * v_next, v_next)
    gap = moved + w - next_x
    h = force_balance(x[:2], x[2:], a, tau, theta)
    return ca.Function("stage", [x, next_x, w, a, tau, dt, theta], [ca.vertcat(gap, h)])


def order_of(names):
    """Position in bayesid's θ of each parameter used here."""
    wanted = [f"inertia.link{i}.{n}" for i in (1, 2) for n in INERTIA]
    wanted += [f"friction.joint{i}.mu{n}" for i in (1, 2) for n in range(6)]
    return [names.index(name) for name in wanted]


def make_nlp(problem, copies, iterations):
    n = problem["num_stages"]
    order = order_of(problem["names"])
    prior, prior_std = np.array(problem["prior"])[order], np.array(problem["prior_std"])[order]
    time_steps = np.diff(problem["time"])
    samples = {k: np.array(problem[k]).reshape(n + 1, 2).T for k in ("position", "velocity", "effort")}
    measured = np.vstack([samples["position"], samples["velocity"]])
    measured_std = np.array(problem["position_std"] + problem["velocity_std"])

    thetas, X = ca.MX.sym("theta", 32, n if copies else 1), ca.MX.sym("X", 4, n + 1)
    theta = thetas[:, 0]
    W, A = ca.MX.sym("W", 4, n), ca.MX.sym("A", 2, n)
    # Disturbances in units of their std: IPOPT needs far fewer iterations than with w itself.
    w_std = ca.DM(problem["disturbance_std"])
    equalities = stage_function().map(n)(
        X[:, :-1], X[:, 1:], ca.repmat(w_std, 1, n) * W, A, ca.DM(samples["effort"][:, :n]), ca.DM(time_steps).T,
        thetas if copies else ca.repmat(theta, 1, n))
    equalities = ca.vertcat(ca.vec(equalities), ca.vec(thetas[:, 1:] - thetas[:, :-1]))
    order_rows = ca.vertcat(ca.exp(theta[21]) - theta[22], ca.exp(theta[27]) - theta[28])

    def squares(values, std):
        return 0.5 * ca.sumsqr(values / ca.repmat(ca.DM(std), 1, values.shape[1]))

    cost = squares(theta - prior, prior_std)
    cost += squares(X[:, 0] - measured[:, 0], np.array(problem["initial_std"]))
    cost += squares(W, np.ones(4))
    cost += squares(X[:, 1:] - measured[:, 1:], measured_std)
    nlp = {
        "x": ca.vertcat(ca.vec(thetas), ca.vec(X), ca.vec(W), ca.vec(A)),
        "f": cost,
        "g": ca.vertcat(equalities, order_rows),
    }
    start = np.concatenate([np.tile(prior, thetas.shape[1]), measured.T.ravel(), np.zeros(4 * n), problem["acceleration"]])
    zeros = np.zeros(equalities.shape[0])
    upper = np.concatenate([zeros, [np.inf, np.inf]])
    options = {
        "expand": True,  # scalar graphs: ten times faster to evaluate than a map of stages
        "ipopt": {"print_level": 0, "sb": "yes", "tol": 1e-8, "linear_solver": "mumps",
                  "mumps_pivot_order": 5, "max_iter": iterations},  # METIS: half the time of the default
        "print_time": False,
    }
    solver = ca.nlpsol("solver", "ipopt", nlp, options)
    return solver, {"x0": start, "lbg": np.append(zeros, [0, 0]), "ubg": upper}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stages", type=int, default=200)
    parser.add_argument("--copies", action="store_true", help="of the parameters, one for each stage")
    parser.add_argument("--program", default=str(ROOT / "build/bin/bench_export_problem"))
    parser.add_argument("--iterations", type=int, default=500, help="at most so many of IPOPT's")
    arguments = parser.parse_args()
    text = subprocess.run([arguments.program, "--stages", str(arguments.stages)], check=True,
                          capture_output=True, text=True).stdout
    problem = json.loads(text)
    begin = time.process_time()
    solver, data = make_nlp(problem, arguments.copies, arguments.iterations)
    built = time.process_time() - begin
    begin = time.process_time()
    solution = solver(**data)
    seconds = time.process_time() - begin
    stats = solver.stats()
    iterations, n = stats["iter_count"], arguments.stages
    functions = sum(v for k, v in stats.items() if k.startswith("t_proc_nlp_"))
    difference = f"{abs(float(solution['f']) - problem['cost']) / problem['cost']:.1e}"
    bayesid = problem["seconds"] / (problem["iterations"] * n)
    print(f"{'stages':>8} {'parameters':>10} {'iter':>5} {'build_s':>8} {'solve_s':>8} {'functions_s':>11} {'ipopt_us':>9}"
          f" {'b_iter':>6} {'bayesid_us':>10} {'cost_diff':>9} status")
    print(f"{n:8d} {'copied' if arguments.copies else 'once':>10} {iterations:5d} {built:8.2f} {seconds:8.2f} {functions:11.2f}"
          f" {1e6 * seconds / (iterations * n):9.2f} {problem['iterations']:6d} {1e6 * bayesid:10.2f}"
          f" {difference if stats['success'] else '-':>9} {stats['return_status']}/{problem['status']}")


if __name__ == "__main__":
    main()
