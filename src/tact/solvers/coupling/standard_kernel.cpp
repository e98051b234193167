#include <tact/solvers/coupling/standard_kernel.hpp>

#include <algorithm>
#include <memory>

#include <tact/contact/delassus.hpp>
#include <tact/core/error.hpp>
#include <tact/solvers/coupling/low_rank_kernel.hpp>

namespace tact {
namespace {

// Which contacts act on each body and node, in ascending order.
struct ContactLists {
  std::vector<std::vector<int>> of_body, of_node;

  explicit ContactLists(const CompactRows& rows)
      : of_body(rows.body_responses.size()), of_node(rows.node_responses.size())
  {
    for (int c = 0; c < rows.size(); ++c) {
      for (int b = rows.contacts[c].first_body; b < rows.contacts[c + 1].first_body; ++b) {
        of_body[rows.body_slots[b]].push_back(c);
      }
      for (int i = rows.contacts[c].first_node; i < rows.contacts[c + 1].first_node; ++i) {
        of_node[rows.node_slots[i]].push_back(c);
      }
    }
  }
};

// J of every contact, expanded once.
struct ExpandedRows {
  std::vector<Matrix36d> bodies;  // one a CompactBody
  std::vector<Matrix3d> frames;   // one a contact

  explicit ExpandedRows(const CompactRows& rows) : bodies(rows.bodies.size()), frames(rows.size())
  {
    for (int c = 0; c < rows.size(); ++c) {
      frames[c] = frame_of(rows.contacts[c]);
      for (int b = rows.contacts[c].first_body; b < rows.contacts[c + 1].first_body; ++b) {
        bodies[b] = rows_of(rows.bodies[b], frames[c]);
      }
    }
  }
};

// The row of contact c: where the block of column d stands is told by place[d].
class RowBuilder {
 public:
  explicit RowBuilder(const CompactRows& rows)
      : rows_(rows), lists_(rows), expanded_(rows), place_(rows.size(), -1)
  {
  }

  // At most: contacts that share two things are counted twice.
  std::size_t block_count() const
  {
    std::size_t count = 0;
    for (std::size_t b = 0; b < rows_.bodies.size(); ++b) {
      count += lists_.of_body[rows_.body_slots[static_cast<int>(b)]].size();
    }
    for (std::size_t i = 0; i < rows_.node_weights.size(); ++i) {
      count += lists_.of_node[rows_.node_slots[static_cast<int>(i)]].size();
    }
    return count;
  }

  void build(int c, FullRows& B)
  {
    find_columns(c);
    double* entries = B.add_row(columns_);
    const std::size_t stride = 3 * columns_.size();
    std::fill_n(entries, 3 * stride, 0.0);
    for (std::size_t k = 0; k < columns_.size(); ++k) place_[columns_[k]] = static_cast<int>(k);
    const auto add = [&](int d, const Matrix3d& block) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) entries[i * stride + 3 * place_[d] + j] += block(i, j);
      }
    };
    const CompactContact& contact = rows_.contacts[c];
    for (int b = contact.first_body; b < rows_.contacts[c + 1].first_body; ++b) {
      const int slot = rows_.body_slots[b];
      const Matrix36d J_response = expanded_.bodies[b] * rows_.body_responses[slot];
      for (const int d : lists_.of_body[slot]) {
        for (int e = rows_.contacts[d].first_body; e < rows_.contacts[d + 1].first_body; ++e) {
          if (rows_.body_slots[e] != slot) continue;
          add(d, J_response * expanded_.bodies[e].transpose());
        }
      }
    }
    for (int i = contact.first_node; i < rows_.contacts[c + 1].first_node; ++i) {
      const int slot = rows_.node_slots[i];
      const Matrix3d J_response = double{rows_.node_weights[i]} * expanded_.frames[c] *
                                  full_response(rows_.node_responses[slot]);
      for (const int d : lists_.of_node[slot]) {
        for (int e = rows_.contacts[d].first_node; e < rows_.contacts[d + 1].first_node; ++e) {
          if (rows_.node_slots[e] != slot) continue;
          add(d, J_response * expanded_.frames[d].transpose() * double{rows_.node_weights[e]});
        }
      }
    }
  }

 private:
  void find_columns(int c)
  {
    columns_.clear();
    for (int b = rows_.contacts[c].first_body; b < rows_.contacts[c + 1].first_body; ++b) {
      const std::vector<int>& list = lists_.of_body[rows_.body_slots[b]];
      columns_.insert(columns_.end(), list.begin(), list.end());
    }
    for (int i = rows_.contacts[c].first_node; i < rows_.contacts[c + 1].first_node; ++i) {
      const std::vector<int>& list = lists_.of_node[rows_.node_slots[i]];
      columns_.insert(columns_.end(), list.begin(), list.end());
    }
    if (!std::is_sorted(columns_.begin(), columns_.end())) {
      std::sort(columns_.begin(), columns_.end());
    }
    columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
  }

  const CompactRows& rows_;
  ContactLists lists_;
  ExpandedRows expanded_;
  std::vector<int> place_, columns_;
};

struct BuiltDelassus {
  const CompactRows& rows;
  const FullRows& B;
  const double* lambda;

  Vector3d velocity(int c) const { return rows.q[c] + B.times(c, lambda); }
  static void push(int, const Vector3d&) {}
};

}  // namespace

void StandardKernel::load(const CompactRows& rows)
{
  if (rows.split()) throw Error("standard kernel: rows are cut into chunks, expected one");
  RowBuilder builder(rows);
  B_.begin(rows.size(), builder.block_count());
  for (int c = 0; c < rows.size(); ++c) builder.build(c, B_);
}

// w is not needed for the sweep; it is brought up to date in the end.
void StandardKernel::sweep(const CompactRows& rows, VectorXd& lambda, VectorXd& w)
{
  before_ = lambda;
  const BuiltDelassus W{rows, B_, lambda.data()};
  tact::sweep<3>(W, ContactNumbers(0, rows.size()), rows.law_of_contacts(), lambda.data());
  for (int c = 0; c < rows.size(); ++c) {
    rows.push(c, lambda.segment<3>(3 * c) - before_.segment<3>(3 * c), w.data());
  }
}

std::unique_ptr<CouplingKernel> make_coupling_kernel(CouplingKernelKind kind)
{
  if (kind == CouplingKernelKind::standard) return std::make_unique<StandardKernel>();
  return std::make_unique<LowRankKernel>();
}

}  // namespace tact
