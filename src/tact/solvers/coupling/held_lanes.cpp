#include <tact/solvers/coupling/held_lanes.hpp>

#include <tact/contact/law_lanes.hpp>

namespace tact {
namespace {

// Rows of so many contacts, lane by lane.
struct HeldRows {
  LaneTuple<9> F;
  LaneTuple<3> arm, q, lambda;
  Lanes weight = {}, mu = {};
  SymmetricLanes R;  // of the nodes, along the axes of the world: xx, yy, zz, xy, xz, yz

  HeldRows(const CompactRows& rows, int first, const double* impulses)
  {
    for (int k = 0; k < lane_width; ++k) load(rows, first + k, impulses, k);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      F[6 + i] = F[j] * F[3 + k] - F[k] * F[3 + j];
    }
  }

  void load(const CompactRows& rows, int c, const double* impulses, int lane)
  {
    const CompactContact& contact = rows.contacts[c];
    const CompactBody& body = rows.bodies[contact.first_body];
    for (int i = 0; i < 3; ++i) {
      F[i][lane] = contact.normal[i];
      F[3 + i][lane] = contact.tangent[i];
      arm[i][lane] = body.arm[i];
      q[i][lane] = rows.q[c][i];
      lambda[i][lane] = impulses[3 * c + i];
    }
    weight[lane] = body.weight;
    mu[lane] = rows.mu(c);
    double sum[6] = {};
    for (int i = contact.first_node; i < rows.contacts[c + 1].first_node; ++i) {
      const double node_weight = rows.node_weights[i];
      const float* entry = rows.node_responses[rows.node_slots[i]].entry;
      for (int k = 0; k < 6; ++k) sum[k] += node_weight * node_weight * entry[k];
    }
    for (int k = 0; k < 6; ++k) R[k][lane] = sum[k];
  }

  // q + J z.
  LaneTuple<3> velocity(const double* z) const
  {
    LaneTuple<3> apart, u = q;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      apart[i] = weight * (z[i] + z[3 + j] * arm[k] - z[3 + k] * arm[j]);
    }
    for (int a = 0; a < 3; ++a) {
      for (int i = 0; i < 3; ++i) u[a] += F[3 * a + i] * apart[i];
    }
    return u;
  }

  // F R F'.
  SymmetricLanes response() const
  {
    constexpr int place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    SymmetricLanes S;
    for (int a = 0; a < 3; ++a) {
      const LaneTuple<3> row = times(R, {{F[3 * a], F[3 * a + 1], F[3 * a + 2]}});
      for (int b = a; b < 3; ++b) {
        S[place[a][b]] = row[0] * F[3 * b] + row[1] * F[3 * b + 1] + row[2] * F[3 * b + 2];
      }
    }
    return S;
  }
};

}  // namespace

void HeldLanes::add(const CompactRows& rows, int first, double* lambda)
{
  HeldRows of(rows, first, lambda);
  const LocalLanes contact = {of.velocity(z_), of.response(), of.mu, rows.law};
  const LaneMask open = contact.u_0[0] >= 0.0;  // nothing presses
  for (int k = 0; k < 3; ++k) of.lambda[k] = open ? Lanes{} : of.lambda[k];
  if (!every(open)) {
    of.lambda = solve_locally(contact, of.lambda, open);
    const LaneTuple<9> H = differentiate_locally(contact, of.lambda, open);
    LaneTuple<3> f;
    LaneTuple<9> HF, X;  // X: weight^2 F' H F, in the axes of the world
    for (int i = 0; i < 3; ++i) {
      for (int a = 0; a < 3; ++a) {
        f[i] += of.weight * of.F[3 * a + i] * of.lambda[a];
        for (int b = 0; b < 3; ++b) HF[3 * a + i] += H[3 * a + b] * of.F[3 * b + i];
      }
    }
    const Lanes squared = of.weight * of.weight;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        for (int a = 0; a < 3; ++a) X[3 * i + j] += of.F[3 * a + i] * HF[3 * a + j];
        X[3 * i + j] *= squared;
      }
    }
    add_force(f, of.arm);
    add_matrix(X, of.arm);
  }
  for (int lane = 0; lane < lane_width; ++lane) {
    for (int k = 0; k < 3; ++k) lambda[3 * (first + lane) + k] = of.lambda[k][lane];
  }
}

void HeldLanes::add_force(const LaneTuple<3>& f, const LaneTuple<3>& arm)
{
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    force_[i] += f[i];
    force_[3 + i] += arm[j] * f[k] - arm[k] * f[j];
  }
}

// K += (I, -[arm])' X (I, -[arm]), [arm] x = arm x x: column by column, then row by row.
void HeldLanes::add_matrix(const LaneTuple<9>& X, const LaneTuple<3>& arm)
{
  Lanes wide[3][6];  // X (I, -[arm])
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int k = (j + 1) % 3, l = (j + 2) % 3;
      wide[i][j] = X[3 * i + j];
      wide[i][3 + j] = arm[k] * X[3 * i + l] - arm[l] * X[3 * i + k];
    }
  }
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 3; ++i) {
      const int k = (i + 1) % 3, l = (i + 2) % 3;
      K_[6 * i + j] += wide[i][j];
      K_[6 * (3 + i) + j] += arm[k] * wide[l][j] - arm[l] * wide[k][j];
    }
  }
}

void HeldLanes::give(Eigen::Ref<Vector6d> force, Eigen::Ref<Matrix6d> K) const
{
  for (int i = 0; i < 6; ++i) {
    force[i] += horizontal_sum(force_[i]);
    for (int j = 0; j < 6; ++j) K(i, j) += horizontal_sum(K_[6 * i + j]);
  }
}

}  // namespace tact
