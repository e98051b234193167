#include <tact/solvers/coupling/run_sweep.hpp>

namespace tact {
namespace {

// A body that nothing but its mass holds: P^-1 = (I / m, I^-1).
class FreeBody {
 public:
  static bool fits(const Matrix6d& P)
  {
    return (P.topRightCorner<3, 3>().array() == 0.0).all() &&
           (P.bottomLeftCorner<3, 3>().array() == 0.0).all() &&
           P.topLeftCorner<3, 3>() == P(0, 0) * Matrix3d::Identity();
  }

  explicit FreeBody(const Matrix6d& P)
      : per_mass_(P(0, 0)),
        xx_(P(3, 3)),
        yy_(P(4, 4)),
        zz_(P(5, 5)),
        xy_(P(3, 4)),
        xz_(P(3, 5)),
        yz_(P(4, 5))
  {
  }

  void push(double weight, const double* f, const double* torque, double* z) const
  {
    const double share = weight * per_mass_;
    for (int i = 0; i < 3; ++i) z[i] += share * f[i];
    z[3] += xx_ * torque[0] + xy_ * torque[1] + xz_ * torque[2];
    z[4] += xy_ * torque[0] + yy_ * torque[1] + yz_ * torque[2];
    z[5] += xz_ * torque[0] + yz_ * torque[1] + zz_ * torque[2];
  }

 private:
  double per_mass_, xx_, yy_, zz_, xy_, xz_, yz_;
};

// One that springs hold too, say: all of P^-1.
class HeldBody {
 public:
  explicit HeldBody(const Matrix6d& P) : P_(P) {}

  void push(double weight, const double* f, const double* torque, double* z) const
  {
    Vector6d wrench;
    wrench << weight * f[0], weight * f[1], weight * f[2], torque[0], torque[1], torque[2];
    Eigen::Map<Vector6d>(z).noalias() += P_ * wrench;
  }

 private:
  Matrix6d P_;
};

// Rows of a contact with its body.
struct RunRows {
  double F[3][3], J[3][3];

  RunRows(const CompactContact& contact, const CompactBody& body)
  {
    const double weight = body.weight;
    const double r[3] = {weight * body.arm[0], weight * body.arm[1], weight * body.arm[2]};
    for (int i = 0; i < 3; ++i) {
      F[0][i] = contact.normal[i];
      F[1][i] = contact.tangent[i];
    }
    cross(F[0], F[1], F[2]);
    for (int a = 0; a < 3; ++a) cross(r, F[a], J[a]);
  }

  static void cross(const double* a, const double* b, double* product)
  {
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      product[i] = a[j] * b[k] - a[k] * b[j];
    }
  }
};

template <class Body>
void sweep_run_of(const Body& body_response, const CompactRows& rows, const ContactRun& run,
                  double* lambda, double* state)
{
  double* z_in_state = state + rows.body_at(run.slot);
  double* nodes_in_state = state + rows.node_at(0);
  double z[6];
  std::copy_n(z_in_state, 6, z);
  const CompactBody* body = &rows.bodies[rows.contacts[run.first].first_body];
  for (int c = run.first; c < run.last; ++c, ++body) {
    const CompactContact& contact = rows.contacts[c];
    const RunRows of(contact, *body);
    const double weight = body->weight;
    double apart[3] = {};
    rows.add_nodes(c, nodes_in_state, apart);
    for (int i = 0; i < 3; ++i) apart[i] += weight * z[i];
    Vector3d u;
    for (int a = 0; a < 3; ++a) {
      const double* F = of.F[a];
      const double* J = of.J[a];
      u[a] = (rows.q[c][a] + F[0] * apart[0]) + (F[1] * apart[1] + F[2] * apart[2]) + J[0] * z[3] +
             J[1] * z[4] + J[2] * z[5];
    }
    const Vector3d before(lambda[3 * c], lambda[3 * c + 1], lambda[3 * c + 2]);
    if (before[0] == 0.0 && u[0] >= 0.0) continue;  // open, and stays so
    const Vector3d relaxed = rows.relax(c, u, before);
    const double d[3] = {relaxed[0] - before[0], relaxed[1] - before[1], relaxed[2] - before[2]};
    for (int i = 0; i < 3; ++i) lambda[3 * c + i] = relaxed[i];
    double f[3], torque[3];
    for (int i = 0; i < 3; ++i) {
      f[i] = (of.F[0][i] * d[0] + of.F[1][i] * d[1]) + of.F[2][i] * d[2];
      torque[i] = (of.J[0][i] * d[0] + of.J[1][i] * d[1]) + of.J[2][i] * d[2];
    }
    body_response.push(weight, f, torque, z);
    rows.push_nodes(c, f, nodes_in_state);
  }
  std::copy_n(z, 6, z_in_state);
}

}  // namespace

void sweep_run(const CompactRows& rows, const ContactRun& run, double* lambda, double* state)
{
  const Matrix6d& P = rows.body_responses[run.slot];
  if (FreeBody::fits(P)) {
    sweep_run_of(FreeBody(P), rows, run, lambda, state);
  } else {
    sweep_run_of(HeldBody(P), rows, run, lambda, state);
  }
}

}  // namespace tact
