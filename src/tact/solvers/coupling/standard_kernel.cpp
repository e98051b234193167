#include <tact/solvers/coupling/standard_kernel.hpp>

#include <algorithm>
#include <iterator>
#include <memory>

#include <tact/contact/delassus.hpp>
#include <tact/core/error.hpp>
#include <tact/solvers/coupling/low_rank_kernel.hpp>

namespace tact {
namespace {

constexpr int tile_columns = 384;  // of P^-1 J', six rows: 18 KB, in the first cache

using Wide = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::RowMajor>;
using ThreeRows = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;

// Which contacts act on each body and node, ascending, each once.
struct ContactLists {
  std::vector<std::vector<int>> of_body, of_node;

  explicit ContactLists(const CompactRows& rows)
      : of_body(rows.body_responses.size()), of_node(rows.node_responses.size())
  {
    const auto add = [](std::vector<int>& list, int c) {
      if (list.empty() || list.back() != c) list.push_back(c);
    };
    for (int c = 0; c < rows.size(); ++c) {
      for (int b = rows.contacts[c].first_body; b < rows.contacts[c + 1].first_body; ++b)
        add(of_body[rows.body_slots[b]], c);
      for (int i = rows.contacts[c].first_node; i < rows.contacts[c + 1].first_node; ++i)
        add(of_node[rows.node_slots[i]], c);
    }
  }
};

// B = J P^-1 J' of all contacts: B_d body by body as one product of matrices, J_b (P^-1 J_b)', in
// tiles of columns, then B_s node by node. What only one body has to do with is written once, and
// else added up. To compute half and turn it over, B being symmetric, takes half as long again:
// the product costs less than to read and write the other half.
class StandardBuilder {
 public:
  StandardBuilder(const CompactRows& rows, FullRows& B) : rows_(rows), lists_(rows), B_(B) {}

  void build()
  {
    lay_out();
    for (std::size_t slot = 0; slot < lists_.of_body.size(); ++slot)
      add_body(static_cast<int>(slot));
    for (std::size_t slot = 0; slot < lists_.of_node.size(); ++slot)
      add_node(static_cast<int>(slot));
  }

 private:
  void lay_out()
  {
    std::vector<int> columns, joined;
    const auto join = [&](const std::vector<int>& list) {
      const bool known = std::all_of(list.begin(), list.end(), [&](int d) {
        return std::binary_search(columns.begin(), columns.end(), d);
      });
      if (known) return;
      joined.clear();
      std::set_union(columns.begin(), columns.end(), list.begin(), list.end(),
                     std::back_inserter(joined));
      columns.swap(joined);
    };
    B_.begin(rows_.size());
    for (int c = 0; c < rows_.size(); ++c) {
      columns.clear();
      for (int b = rows_.contacts[c].first_body; b < rows_.contacts[c + 1].first_body; ++b) {
        const std::vector<int>& list = lists_.of_body[rows_.body_slots[b]];
        join(list);
      }
      for (int i = rows_.contacts[c].first_node; i < rows_.contacts[c + 1].first_node; ++i)
        join(lists_.of_node[rows_.node_slots[i]]);
      B_.add_row(columns);
    }
    B_.allot();
    alone_.resize(rows_.size());
    for (int c = 0; c < rows_.size(); ++c) {
      alone_[c] = of_one_body(c);
      if (!alone_[c]) std::fill_n(B_.row(c), 3 * B_.stride(c), 0.0);
    }
  }

  // Its columns are the contacts of one body: all of its row is written by that body.
  bool of_one_body(int c) const
  {
    const int b = rows_.contacts[c].first_body;
    if (rows_.contacts[c + 1].first_body != b + 1) return false;
    return B_.columns(c) == static_cast<int>(lists_.of_body[rows_.body_slots[b]].size());
  }

  Matrix36d rows_on(int c, int slot) const
  {
    const Matrix3d frame = frame_of(rows_.contacts[c]);
    Matrix36d J = Matrix36d::Zero();
    for (int b = rows_.contacts[c].first_body; b < rows_.contacts[c + 1].first_body; ++b)
      if (rows_.body_slots[b] == slot) J += rows_of(rows_.bodies[b], frame);
    return J;
  }

  void add_body(int slot)
  {
    const std::vector<int>& list = lists_.of_body[slot];
    const int columns = 3 * static_cast<int>(list.size());
    J_.resize(list.size());
    answer_.resize(6, columns);
    for (std::size_t k = 0; k < list.size(); ++k) {
      J_[k] = rows_on(list[k], slot);
      answer_.middleCols<3>(3 * static_cast<int>(k)).noalias() =
          rows_.body_responses[slot] * J_[k].transpose();
    }
    find_places(list);
    for (int at = 0; at < columns; at += tile_columns) {
      const int count = std::min(tile_columns, columns - at);
      for (std::size_t k = 0; k < list.size(); ++k) add_rows(list[k], k, at, count);
    }
  }

  // Empty: in the order of the list.
  void find_places(const std::vector<int>& list)
  {
    places_.resize(std::max(places_.size(), list.size()));
    for (std::size_t k = 0; k < list.size(); ++k) {
      places_[k].clear();
      if (B_.columns(list[k]) == static_cast<int>(list.size())) continue;
      for (const int d : list) places_[k].push_back(B_.place(list[k], d));
    }
  }

  // The k-th contact of the body's list, columns from `at` on.
  void add_rows(int c, std::size_t k, int at, int count)
  {
    const auto product = J_[k].lazyProduct(answer_.middleCols(at, count));
    const auto stride = static_cast<Eigen::Index>(B_.stride(c));
    Eigen::Map<ThreeRows, 0, Eigen::OuterStride<>> rows(B_.row(c) + at, 3, count,
                                                        Eigen::OuterStride<>(stride));
    if (alone_[c]) {
      rows.noalias() = product;
    } else if (places_[k].empty()) {
      rows.noalias() += product;
    } else {
      tile_ = product;
      for (int s = 0; s < count; s += 3)
        for (int i = 0; i < 3; ++i)
          for (int e = 0; e < 3; ++e)
            B_.row(c)[i * stride + 3 * places_[k][(at + s) / 3] + e] += tile_(i, s + e);
    }
  }

  void add_node(int slot)
  {
    const Matrix3d response = full_response(rows_.node_responses[slot]);
    for (const int c : lists_.of_node[slot]) {
      const Matrix3d answer = weight_on(c, slot) * frame_of(rows_.contacts[c]) * response;
      const std::size_t stride = B_.stride(c);
      for (const int d : lists_.of_node[slot]) {
        const Matrix3d block =
            answer * frame_of(rows_.contacts[d]).transpose() * weight_on(d, slot);
        double* entry = B_.row(c) + 3 * B_.place(c, d);
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < 3; ++k) entry[i * stride + k] += block(i, k);
      }
    }
  }

  double weight_on(int c, int slot) const
  {
    double weight = 0.0;
    for (int i = rows_.contacts[c].first_node; i < rows_.contacts[c + 1].first_node; ++i)
      if (rows_.node_slots[i] == slot) weight += double{rows_.node_weights[i]};
    return weight;
  }

  const CompactRows& rows_;
  ContactLists lists_;
  FullRows& B_;
  std::vector<Matrix36d> J_;  // of the list's contacts, on the body
  Wide answer_;               // P^-1 J'
  ThreeRows tile_;
  std::vector<char> alone_;               // of a contact: see of_one_body()
  std::vector<std::vector<int>> places_;  // of the list's contacts in the row of each of them
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
  StandardBuilder(rows, B_).build();
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
