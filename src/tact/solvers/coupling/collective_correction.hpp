// What sweeps converge slowly on when many contacts push one rigid body: its six velocities follow
// each contact by a little, and a thousand of them together. The correction moves all contacts at
// once, in the six velocities of every body. For problems that BodyNewton does not take.
//
// One semismooth Newton step on the contact law in which contacts see each other through rigid
// bodies only, and nodes by the contact's own S = G D^-1 G' (differentiate_locally()):
//
//   d lambda = misfit - H J_B dw                 0 where the contact is open
//   (M + J_B' H J_B) dw = J_B' misfit            6 a body, M their masses
//   d = clamp(lambda + d lambda) - lambda
//
// Sliding rows join with the derivative of the disc's projection: without it the step is of no use
// with friction. A contact of rigid bodies alone has S = 0.05 of its response, and must take part
// where there are several bodies. A node that two or more contacts act on alone is eliminated
// exactly, with 20 times H.
//
// How far to go is decided by the energy with De Saxce's shift frozen,
//   g = u + (mu |u_T|, 0, 0),   length = min(1, -g.d / d' B d),   none where g.d >= 0
// Impulses stay in their cones, which are convex. Without friction sweeps and corrections both
// lower the same energy; with it this is a heuristic.
#pragma once

#include <vector>

#include <tact/contact/law.hpp>
#include <tact/linalg/dense_lu.hpp>
#include <tact/solvers/coupling/coupled_problem.hpp>

namespace tact {

class CollectiveCorrection {
 public:
  // To be called for every new problem. Allocates when there is more than before.
  void load(const CoupledProblem& problem, FrictionLaw law);

  // Whether some body carries enough contacts, and is light enough, for sweeps alone to be slow.
  bool pays() const { return pays_; }

  // u = q + J w, three entries a contact, at lambda. False: no way down was found.
  bool find(const CoupledProblem& problem, const VectorXd& u, const VectorXd& lambda);

  // What was found: lambda += length d, w += length p.
  double length() const { return length_; }
  const VectorXd& direction() const { return d_; }
  const VectorXd& response() const { return p_; }

 private:
  struct Run {  // of contacts that act on one node, and on no other
    int first, last;
    int node;
    Matrix3d inverse;
    Vector3d answer;
  };
  struct Piece {  // of the contacts and the nodes, for sums in a fixed order
    int first, last;
    int first_run, last_run;
    int first_node, last_node;
    MatrixXd K;
    VectorXd right, force;
    double slope, curvature;
  };

  void choose_bodies(const CoupledProblem& problem);
  void find_runs(const CoupledProblem& problem);
  void list_contacts_of_nodes(const CoupledProblem& problem);
  void cut_pieces(const CoupledProblem& problem);
  void see_whether_it_pays(const CoupledProblem& problem);

  void assemble(const CoupledProblem& problem, const VectorXd& u, const VectorXd& lambda,
                Piece& piece);
  void eliminate(const CoupledProblem& problem, Run& run, Piece& piece);
  void find_direction(const CoupledProblem& problem, const VectorXd& u, const VectorXd& lambda,
                      Piece& piece);
  void answer_of_nodes(const CoupledProblem& problem, Piece& piece);
  void answer_of_bodies(const CoupledProblem& problem);
  bool solve_bodies(const CoupledProblem& problem);
  Vector3d motion_of_bodies(const CoupledProblem& problem, const CoupledContact& contact) const;

  FrictionLaw law_ = FrictionLaw::disc;
  bool pays_ = false;
  double length_ = 0.0;
  int corrected_ = 0;       // bodies
  std::vector<int> place_;  // of a body in K, -1: left to the sweeps
  std::vector<int> corrected_bodies_;
  std::vector<Run> runs_;
  std::vector<int> run_of_contact_;  // -1
  std::vector<Piece> pieces_;
  std::vector<int> first_of_node_;  // lists of contacts, by node
  struct Push {
    int contact;
    double weight;
  };
  std::vector<Push> pushes_;
  std::vector<LocalDerivative> local_;  // one a contact
  DenseLu K_;
  VectorXd dw_;  // of bodies in K
  VectorXd d_, p_;
};

}  // namespace tact
