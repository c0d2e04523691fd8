// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bayesid/config.hpp"
#include "config/fields.hpp"

namespace bayesid::config {

// The fields of each struct of the configuration.
void describe(Fields<Config>& fields);
void describe(Fields<ModelConfig>& fields);
void describe(Fields<DriveConfig>& fields);
void describe(Fields<RotorConfig>& fields);
void describe(Fields<ContactConfig>& fields);
void describe(Fields<AttachmentConfig>& fields);
void describe(Fields<LoopConfig>& fields);
void describe(Fields<LogConfig>& fields);
void describe(Fields<ColumnConfig>& fields);
void describe(Fields<PhaseConfig>& fields);
void describe(Fields<ImpactConfig>& fields);
void describe(Fields<MeasurementConfig>& fields);
void describe(Fields<PoseConfig>& fields);
void describe(Fields<ImuConfig>& fields);
void describe(Fields<WrenchConfig>& fields);
void describe(Fields<DisturbanceConfig>& fields);
void describe(Fields<InitialStateConfig>& fields);
void describe(Fields<ParametersConfig>& fields);
void describe(Fields<InertiaStdConfig>& fields);
void describe(Fields<FrictionPriorConfig>& fields);
void describe(Fields<ImuBiasConfig>& fields);
void describe(Fields<WrenchOffsetConfig>& fields);
void describe(Fields<DelayConfig>& fields);
void describe(Fields<RotorPriorConfig>& fields);
void describe(Fields<ParameterOverride>& fields);
void describe(Fields<ConstraintsConfig>& fields);
void describe(Fields<MassConfig>& fields);
void describe(Fields<SymmetryConfig>& fields);
void describe(Fields<LinearConfig>& fields);
void describe(Fields<CenterConfig>& fields);
void describe(Fields<StageConstraintsConfig>& fields);
void describe(Fields<SolverConfig>& fields);
void describe(Fields<SimulationConfig>& fields);
void describe(Fields<GaitConfig>& fields);
void describe(Fields<ExcitationConfig>& fields);

/// The section `inertia`, of what stands in two places of ParametersConfig.
Kind<ParametersConfig> inertia_section();

/// What is unknown without the section `parameters`: inertia, friction (Coulomb and viscous) and
/// armature of the whole robot.
ParametersConfig default_parameters();

}  // namespace bayesid::config
