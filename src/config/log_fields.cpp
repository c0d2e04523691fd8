// SPDX-License-Identifier: BSD-3-Clause
#include "config/sections.hpp"
#include "config/sensor_fields.hpp"

namespace bayesid::config {
namespace {

/// Names of the channels that a log can have.
Keys channels() {
  return {.pattern = "^(time(_[mun]s)?|" + channel_pattern() + ")$",
          .words = "time, q.<joint>, v.<joint>, tau.<joint> or another channel",
          .example = "q."};
}

/// Its name alone, or a map.
Kind<ColumnConfig> column() {
  const Kind<ColumnConfig> source = member(&ColumnConfig::source, name());
  const Kind<ColumnConfig> whole = table<ColumnConfig>();
  Kind<ColumnConfig> kind =
      any_of<ColumnConfig>({source.only_if([](const ColumnConfig&) { return false; }), whole});
  kind.vary = whole.vary;
  return kind;
}

}  // namespace

void describe(Fields<LogConfig>& f) {
  f.add("file", &LogConfig::file, path(), {"", "CSV or .csv.gz, see [logs](logs.md)"}).required();
  f.add("model", &LogConfig::model, path(),
        {"",
         "URDF it was recorded with: a warning when its bytes differ from `model.urdf`; "
         "`result.json` keeps the SHA-256 for each log",
         "none"});
  f.add("columns", &LogConfig::columns, map_of("<channel>", column(), channels()).if_any(),
        {"", "channel → its column: a name, or `{source, scale, offset, sign}`", "none"});
  f.add("joint_order", &LogConfig::joint_order, list_of(name()).if_any(),
        {"", "joints of numbered columns: `q[0]` is the first of the list", "none"});
  f.add("rate", &LogConfig::rate, positive(),
        {"Hz", "sampling rate of the estimation; channels keep their own",
         "the samples of the fastest group of channels"});
  f.add("phases", &LogConfig::phases, list_of(table<PhaseConfig>()).if_any(),
        {"", "contact phases: a list of `{from, to, contacts}`", "from `contact.<name>`"});
  f.add("impacts", &LogConfig::impacts, list_of(table<ImpactConfig>()).if_any(),
        {"", "impacts, contacts that close with a velocity jump: a list", "none"});
}

void describe(Fields<ColumnConfig>& f) {
  f.add("source", &ColumnConfig::source, name(), {"", "name of the column"}).required();
  f.add("scale", &ColumnConfig::scale,
        number().checked([](const YamlTree& node, const Location& at, double scale) {
          if (scale == 0) fail(node, at, " is 0, which erases the column");
        }),
        {"", "value = sign · scale · column + offset; not 0"});
  f.add("offset", &ColumnConfig::offset, number(), {"of the channel", "added last"});
  f.add("sign", &ColumnConfig::sign, sign(), {"", "1 or -1"});
}

void describe(Fields<PhaseConfig>& f) {
  f.add("from", &PhaseConfig::from, number(), {"s", "time of the log"}).required();
  f.add("to", &PhaseConfig::to, number(),
        {"s", "later than `from`; phases may touch, not overlap, in any order"})
      .required();
  f.add("contacts", &PhaseConfig::contacts, list_of(name()),
        {"", "names of `model.contacts`; `[]` is flight"})
      .required();
}

void describe(Fields<ImpactConfig>& f) {
  const auto is_given = [](double value) { return value > 0; };
  f.add("time", &ImpactConfig::time, number(),
        {"s",
         "time of the log, after its first sample; an impact in a gap is ignored with a warning"})
      .required();
  f.add("contacts", &ImpactConfig::contacts, list_of(name()),
        {"", "names of `model.contacts`; one impact of a contact at a time"})
      .required();
  f.add("restitution", &ImpactConfig::restitution, between(0, 1),
        {"1",
         "coefficient of restitution, from 0 (no rebound) to 1 (elastic), of the rows that the "
         "contact keeps"});
  f.add("slip", &ImpactConfig::slip, positive().only_if(is_given),
        {"N·s",
         "std of the friction impulse along each of `x`, `y`, `z` that a contact does not keep",
         "none"});
  f.add("twist", &ImpactConfig::twist, positive().only_if(is_given),
        {"N·m·s",
         "std of the friction moment impulse about each of `rx`, `ry`, `rz` that a contact of "
         "finite area does not keep",
         "none"});
}

}  // namespace bayesid::config
