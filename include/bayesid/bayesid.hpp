// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Whole runs.
#include "bayesid/check.hpp"
#include "bayesid/compare.hpp"
#include "bayesid/demo.hpp"
#include "bayesid/excite.hpp"
#include "bayesid/identify.hpp"
#include "bayesid/init.hpp"
#include "bayesid/report.hpp"
#include "bayesid/run.hpp"
#include "bayesid/simulate.hpp"
#include "bayesid/validate.hpp"

// Their parts.
#include "bayesid/block.hpp"
#include "bayesid/config.hpp"
#include "bayesid/constraint.hpp"
#include "bayesid/dynamics.hpp"
#include "bayesid/error.hpp"
#include "bayesid/integrator.hpp"
#include "bayesid/log.hpp"
#include "bayesid/parameters.hpp"
#include "bayesid/posterior.hpp"
#include "bayesid/problem.hpp"
#include "bayesid/result.hpp"
#include "bayesid/robot.hpp"
#include "bayesid/sensor.hpp"
#include "bayesid/solve.hpp"
#include "bayesid/stage.hpp"
#include "bayesid/trajectory.hpp"
