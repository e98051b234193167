// Aligned columns of text, as people read them.
#pragma once

#include <string>
#include <vector>

#include <cli/console.hpp>

namespace tact::cli {

struct Cell {
  std::string text;
  Tone tone = Tone::plain;
};

class Table {
 public:
  struct Column {
    std::string header;
    bool right = false;  // numbers end below each other
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }

  // Columns without any text are left out.
  void print(const Console& console) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace tact::cli
