// SPDX-License-Identifier: BSD-3-Clause
#include "log/log_source.hpp"

#include "bayesid/error.hpp"
#include "log/csv_table.hpp"
#include "log/read_bytes.hpp"

namespace bayesid {

LogSource::LogSource(const std::string& file) : file_(file) {
  if (is_foreign_log(file_)) {
    foreign_ = std::make_unique<ForeignLog>(file_);
  } else {
    text_ = read_bytes(file_);
    csv_.emplace(text_, file_);
  }
}

Header LogSource::header() const {
  if (csv_) return {.names = csv_->header(), .on_request = {}};
  return {.names = foreign_->names(), .on_request = foreign_->on_request()};
}

std::string LogSource::place() const {
  return file_ + (csv_ ? ':' + std::to_string(csv_->line()) : "") + ": ";
}

ColumnMap LogSource::map(const LogConfig& config) const try {
  return make_column_map(header(), config, place());
} catch (const InputError& error) {
  if (csv_) throw;
  std::string message = error.what();
  for (const std::string& warning : foreign_->warnings())
    message += "; " + warning.substr(file_.size() + 2);
  throw InputError(message);
}

Table LogSource::read(const ColumnMap& map) {
  return csv_ ? read_csv_table(*csv_, map, file_) : foreign_->read(map);
}

}  // namespace bayesid
