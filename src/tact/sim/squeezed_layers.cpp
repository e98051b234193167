#include <tact/sim/squeezed_layers.hpp>

#include <algorithm>
#include <limits>

namespace tact {
namespace {

constexpr double least_pressed = 0.1;  // of a node in a row: less does not squeeze it
constexpr double least_room = 0.1;     // of a target: where there is less, there is none
constexpr double two_sided = -0.5;     // cosine of rows that press from two sides

}  // namespace

SqueezedLayers::SqueezedLayers(const World& world) : world_(&world)
{
  for (int i = 0; i < world.body_count(); ++i) {
    is_obstacle_.push_back(world.body(i).node_count() == 0);
    deforms_.push_back(world.body(i).deforms());
  }
}

void SqueezedLayers::begin(double dt)
{
  dt_ = dt;
  rows_ = 0;
  layers_.clear();
  first_side_.clear();
  layered_.clear();
  rooms_.clear();
}

bool SqueezedLayers::update(ContactProblem& problem, std::vector<ContactRecord>& records,
                            ContactSolution& solution)
{
  if (problem.size() == rows_) return false;
  rows_ = problem.size();
  const std::vector<int> before = layers_;
  const VectorXd known = solution.v;
  end(problem, solution);
  find_squeezed(problem, records);
  if (empty()) return !before.empty();
  add_nodes(problem, solution);
  if (before == layers_) solution.v = known;
  add_blocks(problem, records);
  return before != layers_;
}

bool SqueezedLayers::may_press(const ContactRecord& record) const
{
  return (is_obstacle_[record.body_a] != 0 && deforms_[record.body_b] != 0) ||
         (is_obstacle_[record.body_b] != 0 && deforms_[record.body_a] != 0);
}

// What the bias of a row is where all that is missing is asked back at once. A normal that has
// turned past its pair asks for nothing.
double SqueezedLayers::full_rate(const ContactRecord& record) const
{
  return record.known[0] + (record.gap < 0.0 ? 0.0 : (record.gap - record.target) / dt_);
}

void SqueezedLayers::find_squeezed(const ContactProblem& problem,
                                   std::span<const ContactRecord> records)
{
  presses_.clear();
  for (int c = 0; c < problem.size(); ++c) {
    if (!may_press(records[c])) continue;
    const ContactRows& rows = problem.contacts[c];
    for (int k = rows.first; k < rows.first + rows.count; ++k) {
      const RowVector3d J = problem.blocks[k].J.row(0);
      if (J.norm() >= least_pressed)
        presses_.push_back({problem.blocks[k].node, c, J, full_rate(records[c])});
    }
  }
  std::stable_sort(presses_.begin(), presses_.end(),
                   [](const Press& a, const Press& b) { return a.node < b.node; });
  for (std::size_t first = 0, last = 0; first < presses_.size(); first = last) {
    while (last < presses_.size() && presses_[last].node == presses_[first].node) ++last;
    compare(std::span(presses_).subspan(first, last - first), records);
  }
}

// Rows on one node, each with each.
void SqueezedLayers::compare(std::span<const Press> presses, std::span<const ContactRecord> records)
{
  bool squeezed = false;
  for (std::size_t i = 0; i < presses.size(); ++i)
    for (std::size_t j = i + 1; j < presses.size(); ++j) {
      const Press &a = presses[i], &b = presses[j];
      if (a.rate + b.rate >= 0.0 || a.J.dot(b.J) >= two_sided * a.J.norm() * b.J.norm()) continue;
      if (!squeezed) {
        layers_.push_back(a.node);
        first_side_.push_back(a.J);
        squeezed = true;
      }
      note_room(records[a.contact], 0.5 * dt_ * (a.rate + b.rate));
      note_room(records[b.contact], 0.5 * dt_ * (a.rate + b.rate));
    }
}

void SqueezedLayers::note_room(const ContactRecord& record, double missing)
{
  const double room = std::max(record.target + missing, least_room * record.target);
  const auto [entry, fresh] = rooms_.try_emplace(body_pair(record.body_a, record.body_b), room);
  if (!fresh) entry->second = std::min(entry->second, room);
}

double SqueezedLayers::room(const BodyPair& bodies) const
{
  const auto known = rooms_.find(bodies);
  return known == rooms_.end() ? std::numeric_limits<double>::infinity() : known->second;
}

void SqueezedLayers::add_nodes(ContactProblem& problem, ContactSolution& solution) const
{
  static const auto one =
      std::make_shared<const BlockPattern>(1, std::span<const std::array<int, 2>>{});
  const std::vector<int> first = first_nodes(problem);
  std::size_t component = 0;
  for (const int node : layers_) {
    while (node >= first[component + 1]) ++component;
    const BlockMatrix& A = problem.A[component];
    const Matrix3d& own = A.blocks[A.pattern->diagonal_slot(node - first[component])];
    BlockMatrix layer = zero_matrix(one);
    layer.blocks[0] = own.trace() / 3.0 * Matrix3d::Identity();
    for (int side = 0; side < 2; ++side) problem.A.push_back(layer);
  }
  const auto added = 6 * static_cast<Eigen::Index>(layers_.size());
  for (VectorXd* v : {&problem.v_star, &problem.rest, &solution.v}) {
    if (v->size() == 0) continue;  // no rest
    v->conservativeResize(v->size() + added);
    v->tail(added).setZero();
  }
}

// The blocks of a row stand one behind the other, those of its layers last.
void SqueezedLayers::add_blocks(ContactProblem& problem, std::vector<ContactRecord>& records)
{
  std::vector<RowBlock> blocks;
  blocks.reserve(2 * problem.blocks.size());
  layered_.assign(problem.size(), 0);
  for (int c = 0; c < problem.size(); ++c) {
    ContactRows& rows = problem.contacts[c];
    const auto own = problem.blocks.begin() + rows.first;
    const ContactRows moved{.first = static_cast<int>(blocks.size()), .count = rows.count};
    blocks.insert(blocks.end(), own, own + rows.count);
    layered_[c] = may_press(records[c]) && add_layers(moved, blocks);
    rows.first = moved.first;
    rows.count = static_cast<int>(blocks.size()) - rows.first;
    if (layered_[c] == 0) continue;
    rows.restitution = rows.approach = 0.0;
    records[c].base_bias[0] = full_rate(records[c]);
  }
  problem.blocks = std::move(blocks);
}

bool SqueezedLayers::add_layers(const ContactRows& rows, std::vector<RowBlock>& blocks) const
{
  for (int k = rows.first; k < rows.first + rows.count; ++k) {
    const auto found = std::lower_bound(layers_.begin(), layers_.end(), blocks[k].node);
    if (found == layers_.end() || *found != blocks[k].node) continue;
    const int place = static_cast<int>(found - layers_.begin());
    const RowVector3d J = blocks[k].J.row(0);
    RowBlock layer;
    layer.node = world_->node_count() + 2 * place + (J.dot(first_side_[place]) > 0.0 ? 0 : 1);
    layer.J.row(0) = J;
    blocks.push_back(layer);
  }
  return static_cast<int>(blocks.size()) > rows.first + rows.count;
}

void SqueezedLayers::ease(std::span<const ContactRecord> records, ContactProblem& problem) const
{
  for (int c = 0; c < problem.size(); ++c)
    if (has(c)) problem.contacts[c].bias[0] = records[c].base_bias[0];
}

void SqueezedLayers::settle(const ContactSolution& solution, ContactProblem& problem) const
{
  for (int c = 0; c < problem.size(); ++c) {
    if (!has(c)) continue;
    ContactRows& rows = problem.contacts[c];
    for (int k = rows.first; k < rows.first + rows.count; ++k) {
      const RowBlock& block = problem.blocks[k];
      if (block.node >= world_->node_count())
        rows.bias[0] += block.J.row(0).dot(solution.v.segment<3>(3 * block.node));
    }
  }
}

void SqueezedLayers::end(ContactProblem& problem, ContactSolution& solution)
{
  if (empty()) return;
  std::vector<RowBlock> blocks;
  blocks.reserve(problem.blocks.size());
  for (ContactRows& rows : problem.contacts) {
    const int first = static_cast<int>(blocks.size());
    for (int k = rows.first; k < rows.first + rows.count; ++k)
      if (problem.blocks[k].node < world_->node_count()) blocks.push_back(problem.blocks[k]);
    rows.first = first;
    rows.count = static_cast<int>(blocks.size()) - first;
  }
  problem.blocks = std::move(blocks);
  problem.A.resize(problem.A.size() - 2 * layers_.size());
  for (VectorXd* v : {&problem.v_star, &problem.rest, &solution.v})
    if (v->size() > 0) v->conservativeResize(world_->v_size());
  layers_.clear();
  first_side_.clear();
  layered_.clear();
}

}  // namespace tact
