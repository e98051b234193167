// Families of contact problems in which many contacts push few rigid bodies: for `tact bench
// coupling` and the tests of coupling solvers. A is block diagonal: the inner problem of a nodal
// relaxation, [Miguel11] eq. (3). Same arguments, same problem.
#pragma once

#include <tact/contact/contact_problem.hpp>

namespace tact {

struct CoupledFamily {
  int contacts = 500;
  // Mass of a body over the effective mass of a node along the normal, 1 kg. Sideways nodes are
  // three times as heavy.
  double mass_ratio = 30.0;
  double mu = 0.5;
};

// A round body of 0.2 m, pressed into soft ground while it slides and turns: one contact a node.
ContactProblem pressed_body(const CoupledFamily& family);

// The same body on a fine surface that is embedded in tetrahedra, of which there are about as many
// nodes as contacts: four to eight nodes a contact, which its neighbours share.
ContactProblem body_on_lattice(const CoupledFamily& family);

// Ten bodies, two rows of five, side by side on one mat, with four contacts between neighbours: 52
// of rigid bodies alone. Every third is ten times as heavy.
ContactProblem bodies_on_mat(const CoupledFamily& family);
// The same with three contacts of ten on faces of the mat: nodes have several.
ContactProblem bodies_on_faces(const CoupledFamily& family);

// Sheets pinched between bodies in a pile on the ground, a contact on either side of each node:
// their pressure is not determined. The plain form has two bodies and one sheet, the tower six
// bodies, every other ten times as heavy.
ContactProblem pinched_sheet(const CoupledFamily& family);
ContactProblem pinched_tower(const CoupledFamily& family);

}  // namespace tact
