// The Delassus operator W = J A^-1 J' as solvers that go contact by contact see it, and their one
// loop: projected (nonsmooth) Gauss-Seidel.
//
//   lambda_c <- law(c, u_c, lambda_c),   u = W lambda + q
//
// A Delassus is what has
//
//   velocity(c)      what contact c feels of the impulses so far, u_c
//   push(c, change)  the impulse of c has changed
//   open(c)          if it can tell for less than velocity(c): that c has no impulse and u_n >= 0
//   is_row(c)        if it has bilateral rows among its contacts: they may pull
//
// and the law is what gives the contact's impulse while the others rest. Forms: velocities of nodes
// and of components (nested/contact_sweep), bodies and nodes (coupling/low_rank_kernel), rows of W
// (coupling/standard_kernel, cone/gauss_seidel), columns of W
// (ColumnsDelassus below, coupling/body_newton).
// All is inlined: nothing is virtual or allocated in the loop. Apart for speed stands
// coupling/run_sweep, which keeps a body in registers while it passes over its contacts.
#pragma once

#include <tact/contact/law.hpp>

namespace tact {

// The contacts from `first` to `last` - 1.
class ContactNumbers {
 public:
  struct Iterator {
    int number;
    int operator*() const { return number; }
    Iterator& operator++()
    {
      ++number;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return number != other.number; }
  };

  ContactNumbers(int first, int last) : first_(first), last_(last) {}
  Iterator begin() const { return {first_}; }
  Iterator end() const { return {last_}; }

 private:
  int first_, last_;
};

template <class Delassus>
concept HasRows = requires(const Delassus& W, int c)
{
  W.is_row(c);
};

template <class Delassus>
concept TellsOpen = requires(const Delassus& W, int c)
{
  W.open(c);
};

// `seen`: called with each contact that is not open, in order.
template <int D, class Delassus, class Contacts, class Law, class Seen>
inline void sweep(Delassus& W, const Contacts& contacts, const Law& law, double* lambda,
                  const Seen& seen)
{
  for (const int c : contacts) {
    Eigen::Map<ContactVector<D>> lambda_c(lambda + D * c);
    if constexpr (TellsOpen<Delassus>) {
      if (W.open(c)) continue;
    }
    const ContactVector<D> u = W.velocity(c);
    // Open, and stays so. In this order: near the answer impulses are 0 where they were, which the
    // processor foresees, while velocities are 0 with either sign.
    bool may_pull = false;
    if constexpr (HasRows<Delassus>) may_pull = W.is_row(c);
    if (!may_pull && lambda_c[0] == 0.0 && u[0] >= 0.0) continue;
    seen(c);
    const ContactVector<D> relaxed = law(c, u, lambda_c);
    const ContactVector<D> change = relaxed - lambda_c;
    lambda_c = relaxed;
    W.push(c, change);
  }
}

template <int D, class Delassus, class Contacts, class Law>
inline void sweep(Delassus& W, const Contacts& contacts, const Law& law, double* lambda)
{
  sweep<D>(W, contacts, law, lambda, [](int) {});
}

// W itself, for few contacts or for comparison.
struct ColumnsDelassus {
  const MatrixXd& W;
  VectorXd u;  // W lambda + q

  Vector3d velocity(int c) const { return u.segment<3>(3 * c); }
  void push(int c, const Vector3d& change) { u += W.middleCols<3>(3 * c) * change; }
};

}  // namespace tact
