#include <tact/solvers/pivoting/cone_path.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <tact/core/stop.hpp>

namespace tact {
namespace {

constexpr double slope_tolerance = 1e-12;  // functions that fall slower than this do not block
// Where rows nearly determine all motions, velocities hardly change along a piece of the path;
// where masses differ a thousandfold, round-off makes them seem to, and rows that depend on the
// others would join. Slopes of velocities count from so many times those of the rows that are held.
constexpr double above_noise = 1000.0;
constexpr double no_event = std::numeric_limits<double>::infinity();

}  // namespace

void ConePath::load(const WhitenedProblem& problem, const FrictionPyramid& pyramid)
{
  problem_ = &problem;
  pyramid_ = &pyramid;
  normals_.load(problem);
  states_.assign(problem.size(), ConeState{});
  place_in_active_.resize(problem.size());
  active_.clear();
  active_.reserve(problem.size());
}

void ConePath::begin(const double* cover)
{
  cover_ = cover;
  for (const int contact : active_) normals_.set_active(contact, false);
  active_.clear();
  std::fill(states_.begin(), states_.end(), ConeState{});
  normals_.set_cover(cover);
  kernel_.begin(*problem_, cover);
  scale_ = 1.0;
  pivots_ = backward_ = largest_kernel_ = 0;
}

// Bilateral rows are part of the kernel from the start to the end; their impulses have any sign.
void ConePath::append_bilateral()
{
  const double* cover = cover_ + 3 * problem_->size();
  for (const WhitenedRow& from : problem_->bilateral()) {
    KernelRow row;
    KernelColumn column;
    for (int s = 0; s < 2; ++s) {
      row.side[s] = column.side[s] = from.side[s];
      row.body[s] = column.body[s] = from.body[s];
    }
    row.bias = from.bias;
    row.cover = *cover++;
    kernel_.append(row, column);
  }
}

void ConePath::append_contact(int contact)
{
  const auto [face, x] = states_[contact];
  kernel_.append(kernel_.contact_row(contact, 0, {1.0, 0.0, 0.0}),
                 kernel_.contact_column(contact, 0, generator(contact, x)));
  if (face == Face::ray) return;
  kernel_.append(kernel_.contact_row(contact, 1, along_p(x)),
                 kernel_.contact_column(contact, 1, generator(contact, x + 1)));
  if (face == Face::facet) return;
  kernel_.append(kernel_.contact_row(contact, 2, along_e(x)),
                 kernel_.contact_column(contact, 2, {1.0, 0.0, 0.0}));
}

SolveStatus ConePath::run_cold(const double* cover, const Options& options)
{
  begin(cover);
  append_bilateral();
  if (kernel_.size() > 0 && !kernel_.refactor()) return SolveStatus::stalled;
  const NormalLanes::Hit start = normals_.deepest(kernel_.y());
  if (start.contact < 0)
    return SolveStatus::converged;  // nothing approaches: no impulse is the answer
  scale_ = z0_first_ = start.t;
  kernel_.set_driving_z0(0.0, 1.0);
  kernel_.compute_direction();
  kernel_.move(start.t);
  kernel_.enter_row(kernel_.contact_row(start.contact, 0, {1.0, 0.0, 0.0}), start.slope);
  activate(start.contact);
  pivots_ = 1;
  return follow(options);
}

SolveStatus ConePath::run_warm(const double* cover, const std::vector<ConeState>& states,
                               double scale, const Options& options)
{
  begin(cover);
  scale_ = scale;
  z0_first_ = 1.0;
  auto rows = problem_->bilateral().size();
  for (const ConeState& state : states) rows += static_cast<std::size_t>(state.face);
  if (rows > 6u * static_cast<unsigned>(problem_->bodies())) return SolveStatus::stalled;
  append_bilateral();
  for (int c = 0; c < problem_->size(); ++c) {
    if (states[c].face == Face::inactive) continue;
    join_active(c, states[c]);
    append_contact(c);
  }
  kernel_.set_driving_z0(1.0, -1.0);
  if (!kernel_.refactor()) return SolveStatus::stalled;
  return follow(options);
}

SolveStatus ConePath::follow(const Options& options)
{
  for (;;) {
    end_if_stopped();
    largest_kernel_ = std::max(largest_kernel_, kernel_.size());
    kernel_.compute_direction();
    const double noise = above_noise * kernel_.direction_noise();
    velocity_slope_ = std::max(slope_tolerance, noise);
    const Event event = first_event();
    const double z0 = kernel_.z0_value(), dz0 = kernel_.z0_slope();
    if (dz0 < -noise) {
      const double t_end = z0 / -dz0;
      // Redundant contacts all reach their bounds together with z0: z0 wins near-ties. The states,
      // not the value of z0, carry the answer, so this costs no accuracy.
      if (event.change == Change::none || t_end <= event.t ||
          z0 + event.t * dz0 <= options.end_tolerance * z0_first_) {
        kernel_.move(t_end);
        kernel_.finish();
        return SolveStatus::converged;
      }
    }
    if (event.change == Change::none) return SolveStatus::no_solution;
    if (++pivots_ > options.max_pivots) return SolveStatus::iteration_limit;
    if (kernel_.is_full()) return SolveStatus::stalled;
    if (dz0 > 0.0) ++backward_;
    kernel_.move(event.t);
    if (!apply(event) || !kernel_.correct(scale_)) return SolveStatus::stalled;
  }
}

ConePath::Tangential ConePath::tangential(int contact, const std::vector<Twist>& y) const
{
  const WhitenedContact& c = problem_->contacts()[contact];
  return {relative_velocity(c.rows[0][1], c.rows[1][1], c.body, y),
          relative_velocity(c.rows[0][2], c.rows[1][2], c.body, y)};
}

std::array<double, 3> ConePath::generator(int contact, int x) const
{
  const double mu = problem_->contacts()[contact].mu;
  return {1.0, mu * pyramid_->cos_d[x], mu * pyramid_->sin_d[x]};
}

// The ratio test: the first function of any contact's state that would turn negative.
ConePath::Event ConePath::first_event() const
{
  const NormalLanes::Hit hit = normals_.first_to_close(
      kernel_.y(), kernel_.dy(), kernel_.z0_value(), kernel_.z0_slope(), velocity_slope_);
  Event first{Change::none, -1, 0, no_event, 0.0};
  if (hit.contact >= 0) first = {Change::touch, hit.contact, 0, hit.t, hit.slope};
  for (const int contact : active_) {
    if (states_[contact].face == Face::stick) {
      test_stick(contact, first);
    } else {
      test_active(contact, first);
    }
  }
  return first;
}

namespace {

// Ties go to the steepest function: the largest pivot.
template <class Event, class Change>
inline void consider(Event& first, Change change, int contact, int facet, double value,
                     double slope, double least_slope = slope_tolerance)
{
  if (slope >= -least_slope) return;
  const double t = std::max(value, 0.0) / -slope;
  if (t < first.t || (t == first.t && slope < first.slope))
    first = {change, contact, facet, t, slope};
}

}  // namespace

void ConePath::test_active(int contact, Event& first) const
{
  const WhitenedContact& c = problem_->contacts()[contact];
  const int x = states_[contact].x;
  const bool ray = states_[contact].face == Face::ray;
  const int j = kernel_.column_of(contact, 0);
  consider(first, ray ? Change::detach : Change::drop_first, contact, 0, kernel_.x(j),
           kernel_.dx(j));
  if (c.mu == 0.0) return;
  const double* cover = cover_ + 3 * contact;
  const double z0 = kernel_.z0_value(), dz0 = kernel_.z0_slope();
  Tangential u = tangential(contact, kernel_.y()), du = tangential(contact, kernel_.dy());
  u.u_1 += c.bias[1] + cover[1] * z0;
  u.u_2 += c.bias[2] + cover[2] * z0;
  du.u_1 += cover[1] * dz0;
  du.u_2 += cover[2] * dz0;
  const auto p = [&](int k, const Tangential& a) {
    return pyramid_->cos_e[k] * a.u_2 - pyramid_->sin_e[k] * a.u_1;
  };
  if (ray) {
    const int behind = pyramid_->previous(x);
    consider(first, Change::facet_ahead, contact, 0, p(x, u), p(x, du), velocity_slope_);
    consider(first, Change::facet_behind, contact, 0, -p(behind, u), -p(behind, du),
             velocity_slope_);
    return;
  }
  const auto sliding = [&](const Tangential& a) {
    return -(pyramid_->cos_e[x] * a.u_1 + pyramid_->sin_e[x] * a.u_2);
  };
  const int second = kernel_.column_of(contact, 1);
  consider(first, Change::drop_second, contact, 0, kernel_.x(second), kernel_.dx(second));
  consider(first, Change::stop_sliding, contact, 0, sliding(u), sliding(du), velocity_slope_);
}

// A sticking contact leaves through facet k when mu' f_n - e_k . f_T reaches zero.
void ConePath::test_stick(int contact, Event& first) const
{
  const double mu = problem_->contacts()[contact].mu;
  const int x = states_[contact].x;
  const int a = kernel_.column_of(contact, 0), b = kernel_.column_of(contact, 1),
            n = kernel_.column_of(contact, 2);
  const auto force = [&](double f_a, double f_b, double f_n) {
    return Vector3d(mu * pyramid_->half_cos * (f_a + f_b + f_n),
                    mu * (f_a * pyramid_->cos_d[x] + f_b * pyramid_->cos_d[x + 1]),
                    mu * (f_a * pyramid_->sin_d[x] + f_b * pyramid_->sin_d[x + 1]));
  };
  const Vector3d f = force(kernel_.x(a), kernel_.x(b), kernel_.x(n));
  const Vector3d df = force(kernel_.dx(a), kernel_.dx(b), kernel_.dx(n));
  for (int k = 0; k < pyramid_->d; ++k) {
    const double c = pyramid_->cos_e[k], s = pyramid_->sin_e[k];
    consider(first, Change::slip, contact, k, f[0] - c * f[1] - s * f[2],
             df[0] - c * df[1] - s * df[2]);
  }
}

void ConePath::join_active(int contact, ConeState state)
{
  states_[contact] = state;
  place_in_active_[contact] = static_cast<int>(active_.size());
  active_.push_back(contact);
  normals_.set_active(contact, true);
}

void ConePath::activate(int contact)
{
  const WhitenedContact& c = problem_->contacts()[contact];
  const double* cover = cover_ + 3 * contact;
  const double z0 = kernel_.z0_value();
  const Tangential u = tangential(contact, kernel_.y());
  const int x =
      pyramid_->most_opposed(u.u_1 + c.bias[1] + cover[1] * z0, u.u_2 + c.bias[2] + cover[2] * z0);
  join_active(contact, {Face::ray, x});
  kernel_.set_driving_column(kernel_.contact_column(contact, 0, generator(contact, x)));
}

void ConePath::deactivate(int contact)
{
  states_[contact] = {};
  normals_.set_active(contact, false);
  const int place = place_in_active_[contact], moved = active_.back();
  active_[place] = moved;
  place_in_active_[moved] = place;
  active_.pop_back();
}

// One row joins and the column that answers it is driven next, or one column leaves and the slack
// of its row is driven next. False when the kernel cannot take the change.
bool ConePath::apply(const Event& event)
{
  const int contact = event.contact, x = states_[contact].x;
  const int ahead = pyramid_->next(x), behind = pyramid_->previous(x);
  switch (event.change) {
    case Change::touch:
      kernel_.enter_row(kernel_.contact_row(contact, 0, {1.0, 0.0, 0.0}), event.slope);
      activate(contact);
      return true;
    case Change::detach:
      kernel_.leave_column(kernel_.column_of(contact, 0));
      deactivate(contact);
      kernel_.set_driving_slack(kernel_.row_of(contact, 0), 1.0);
      return true;
    case Change::facet_ahead:
      kernel_.enter_row(kernel_.contact_row(contact, 1, along_p(x)), event.slope);
      states_[contact].face = Face::facet;
      kernel_.set_driving_column(kernel_.contact_column(contact, 1, generator(contact, ahead)));
      return true;
    case Change::facet_behind:
      kernel_.enter_row(kernel_.contact_row(contact, 1, along_p(behind)), -event.slope);
      states_[contact] = {Face::facet, behind};
      kernel_.rename_column(contact, 0, 1);
      kernel_.set_driving_column(kernel_.contact_column(contact, 0, generator(contact, behind)));
      return true;
    case Change::drop_first:
      kernel_.leave_column(kernel_.column_of(contact, 0));
      states_[contact] = {Face::ray, ahead};
      kernel_.rename_column(contact, 1, 0);
      kernel_.set_driving_slack(kernel_.row_of(contact, 1), -1.0);
      return true;
    case Change::drop_second:
      kernel_.leave_column(kernel_.column_of(contact, 1));
      states_[contact].face = Face::ray;
      kernel_.set_driving_slack(kernel_.row_of(contact, 1), 1.0);
      return true;
    case Change::stop_sliding:
      kernel_.enter_row(kernel_.contact_row(contact, 2, along_e(x)), -event.slope);
      states_[contact].face = Face::stick;
      kernel_.set_driving_column(kernel_.contact_column(contact, 2, {1.0, 0.0, 0.0}));
      return true;
    case Change::slip: return slip(event);
    case Change::none: break;
  }
  return false;
}

bool ConePath::slip(const Event& event)
{
  const int contact = event.contact;
  if (kernel_.drives_column_of(contact, 2)) {
    // The column that should leave is the driven one (rare): rename the basis and start it afresh.
    set_basis(contact, event.facet);
    states_[contact] = {Face::facet, event.facet};
    if (!kernel_.refactor()) return false;
  } else {
    rebase(contact, event.facet);
    states_[contact] = {Face::facet, event.facet};
    kernel_.leave_column(kernel_.column_of(contact, 2));
  }
  kernel_.set_driving_slack(kernel_.row_of(contact, 2), -1.0);
  return true;
}

// The same impulses and the same rows in the basis of facet k: a rotation and a table.
void ConePath::rebase(int contact, int facet)
{
  const int turned = (facet - states_[contact].x + pyramid_->d) % pyramid_->d;
  if (turned == 0) return;
  kernel_.rotate_rows(contact, pyramid_->cos_d[turned], pyramid_->sin_d[turned]);
  kernel_.recombine_columns(contact, pyramid_->rebase(turned));
  set_basis(contact, facet);
}

void ConePath::set_basis(int contact, int facet)
{
  kernel_.replace_row_data(contact, 1, kernel_.contact_row(contact, 1, along_p(facet)));
  kernel_.replace_row_data(contact, 2, kernel_.contact_row(contact, 2, along_e(facet)));
  kernel_.replace_column_data(contact, 0,
                              kernel_.contact_column(contact, 0, generator(contact, facet)));
  kernel_.replace_column_data(contact, 1,
                              kernel_.contact_column(contact, 1, generator(contact, facet + 1)));
}

}  // namespace tact
