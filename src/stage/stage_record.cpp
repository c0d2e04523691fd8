// SPDX-License-Identifier: BSD-3-Clause
#include "stage/stage_record.hpp"

namespace bayesid {

double StageRecord::bytes() const {
  const Eigen::Index numbers = Z.size() + C.size() + a.size() + n.size() + excess_q.size() +
                               excess_v.size() + rotor_force.size() + R_zeta.size() +
                               open_window.size();
  return sizeof(StageRecord) + (base ? sizeof(BaseTurns) : 0) + 8.0 * static_cast<double>(numbers);
}

double StageRecords::bytes() const {
  double out = 0;
  for (const StageRecord& stage : stages) out += stage.bytes();
  return out;
}

}  // namespace bayesid
