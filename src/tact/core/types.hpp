// The Eigen types that the whole project speaks in. `double` only.
#pragma once

#include <Eigen/Core>

namespace tact {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix36d = Eigen::Matrix<double, 3, 6>;
using RowVector3d = Eigen::Matrix<double, 1, 3>;
using RowVector6d = Eigen::Matrix<double, 1, 6>;

}  // namespace tact
