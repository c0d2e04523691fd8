// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Everything a user may include, in the order of the data flow.
#include "bayesid/config.hpp"
#include "bayesid/dynamics/dynamics.hpp"
#include "bayesid/dynamics/kinematics.hpp"
#include "bayesid/error.hpp"
#include "bayesid/log/log.hpp"
#include "bayesid/observation/encoder.hpp"
#include "bayesid/observation/pose.hpp"
#include "bayesid/observation/wrench.hpp"
#include "bayesid/parameters/parameter_set.hpp"
#include "bayesid/posterior/log_doubts.hpp"
#include "bayesid/posterior/posterior.hpp"
#include "bayesid/posterior/prediction.hpp"
#include "bayesid/problem/channel_facts.hpp"
#include "bayesid/problem/make_problem.hpp"
#include "bayesid/problem/robot_problem.hpp"
#include "bayesid/report/result.hpp"
#include "bayesid/robot/robot.hpp"
#include "bayesid/simulation/simulate.hpp"
#include "bayesid/solver/solve.hpp"
