// SPDX-License-Identifier: BSD-3-Clause
#include "config/yaml_reader.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "bayesid/error.hpp"

namespace bayesid {
namespace {

// Far above any configuration, far below what harms: yaml-cpp descends one call for each level, and
// aliases of aliases grow exponentially.
constexpr std::uintmax_t max_bytes = 1'048'576;
constexpr std::size_t max_depth = 64;
constexpr std::size_t max_aliases = 100;
constexpr std::size_t max_values = 100'000;
constexpr std::size_t max_letters = 4096;  // of one word: the longest path

std::size_t num_values(const YamlTree& tree) {
  std::size_t count = 1;
  for (const YamlTree& child : tree.children) count += num_values(child);
  return count;
}

/// Builds the tree from yaml-cpp's events, and refuses it as soon as it passes a limit: the parser
/// makes the event of a value before it descends into it.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string file) : file_(std::move(file)) {}

  YamlTree take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(mark, anchor, {.kind = YamlTree::Kind::null});
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (++num_aliases_ > max_aliases) {
      fail(mark, "has more than " + std::to_string(max_aliases) + " aliases (*name)");
    }
    const auto anchored = anchors_.find(anchor);
    if (anchored == anchors_.end()) fail(mark, "an alias stands inside the value it repeats");
    num_values_ += num_values(anchored->second);
    add(mark, 0, anchored->second);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    if (value.size() > max_letters) {
      fail(mark, "has a word of more than " + std::to_string(max_letters) + " letters");
    }
    const bool quoted = tag == "!" || tag == "tag:yaml.org,2002:str";
    const bool is_null = !quoted && (value.empty() || value == "~" || value == "null");
    add(mark, anchor,
        {.kind = is_null ? YamlTree::Kind::null : YamlTree::Kind::scalar,
         .text = value,
         .quoted = quoted});
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, anchor, YamlTree::Kind::list);
  }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, anchor, YamlTree::Kind::map);
  }

  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  /// A list or map that is being read; a map waits for a key or for the value of that key.
  struct Open {
    YamlTree tree;
    YAML::anchor_t anchor = 0;
    bool has_key = false;
    std::string key{};
    int key_line = 0;
  };

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& what) const {
    throw InputError(file_ + ':' + std::to_string(mark.line + 1) + ": " + what);
  }

  void count(const YAML::Mark& mark) {
    if (++num_values_ > max_values) {
      fail(mark, "holds more than " + std::to_string(max_values) + " values");
    }
  }

  void open(const YAML::Mark& mark, YAML::anchor_t anchor, YamlTree::Kind kind) {
    count(mark);
    if (open_.size() == max_depth) {
      fail(mark, "is nested more than " + std::to_string(max_depth) + " levels deep");
    }
    if (!open_.empty() && expects_key()) fail(mark, "a key must be a word, not a list or a map");
    open_.push_back({.tree = {.kind = kind, .line = mark.line + 1}, .anchor = anchor});
  }

  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    if (closed.anchor != 0) anchors_[closed.anchor] = closed.tree;
    place(std::move(closed.tree));
  }

  void add(const YAML::Mark& mark, YAML::anchor_t anchor, YamlTree tree) {
    count(mark);
    tree.line = mark.line + 1;
    if (anchor != 0) anchors_[anchor] = tree;
    if (open_.empty() || !expects_key()) return place(std::move(tree));

    if (tree.kind != YamlTree::Kind::scalar) fail(mark, "a key must be a word");
    Open& map = open_.back();
    for (const YamlTree& child : map.tree.children) {
      if (child.key != tree.text) continue;
      fail(mark,
           "key " + tree.text + " is given twice, first at line " + std::to_string(child.line));
    }
    map.has_key = true;
    map.key = tree.text;
    map.key_line = tree.line;
  }

  bool expects_key() const {
    return open_.back().tree.kind == YamlTree::Kind::map && !open_.back().has_key;
  }

  void place(YamlTree tree) {
    if (open_.empty()) {
      root_ = std::move(tree);
      return;
    }
    Open& parent = open_.back();
    if (parent.tree.kind == YamlTree::Kind::map) {
      tree.key = parent.key;
      tree.line = parent.key_line;
      parent.has_key = false;
    }
    parent.tree.children.push_back(std::move(tree));
  }

  std::string file_;
  YamlTree root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, YamlTree> anchors_;
  std::size_t num_values_ = 0;
  std::size_t num_aliases_ = 0;
};

std::string read_text(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError(path + ": is a folder, expected a configuration file");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!std::filesystem::exists(path, ignored)) throw InputError(path + ": no such file");
  if (!stream) throw InputError(path + ": cannot be read");

  // Not file_size: a pipe has none. One byte past the limit tells that there is more.
  std::string text(max_bytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > max_bytes) {
    throw InputError(path + ": is larger than 1 MB, too large for a configuration");
  }
  if (text.find('\0') != text.npos) throw InputError(path + ": is not a text file in UTF-8");
  return text;
}

/// What yaml-cpp found wrong. It has no words for the most common mistake, a tab that indents.
InputError syntax_error(const std::string& path, const std::string& text,
                        const YAML::Exception& error) {
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i <= error.mark.line; ++i) std::getline(lines, line);
  const bool has_tab = line.substr(0, line.find_first_not_of(" \t")).find('\t') != line.npos;
  return InputError(path + ':' + std::to_string(error.mark.line + 1) + ':' +
                    std::to_string(error.mark.column + 1) + ": " +
                    (has_tab ? "the line is indented with a tab, use spaces" : error.msg));
}

}  // namespace

YamlTree read_yaml(const std::string& path) {
  const std::string text = read_text(path);
  std::istringstream stream(text);
  TreeBuilder builder(path);
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    TreeBuilder second(path);
    if (parser.HandleNextDocument(second)) {
      throw InputError(path + ": holds more than one document (---), expected one");
    }
  } catch (const YAML::Exception& error) {
    throw syntax_error(path, text, error);
  }
  YamlTree root = builder.take_root();
  if (root.kind == YamlTree::Kind::null) {
    throw InputError(path + ": is empty, expected `schema: 1`, `model:` …");
  }
  if (root.kind != YamlTree::Kind::map) {
    throw InputError(path + ':' + std::to_string(root.line) + ": is " + root.shown() +
                     ", expected keys such as schema, model, logs");
  }
  return root;
}

}  // namespace bayesid
