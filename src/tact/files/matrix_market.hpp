// Matrices, dense and sparse, in the Matrix Market text format (NIST): coordinate or array, real or
// integer, general or symmetric.
#pragma once

#include <filesystem>

#include <Eigen/SparseCore>

#include <tact/core/types.hpp>

namespace tact {

// Reads a matrix that must have this size; nothing of that size is allocated before the file has
// shown that it holds what it claims. Throws Error with the line for anything else: a wrong size,
// too few or too many entries, indices outside, an entry twice, a number that is not finite.
MatrixXd read_matrix_market(const std::filesystem::path& file, int rows, int columns);

enum class MatrixLayout { coordinate, array };

// Writes every bit: the shortest decimal of each entry that reads back as the same double. The
// coordinate layout leaves out zeros (but not -0).
void write_matrix_market(const std::filesystem::path& file, const MatrixXd& matrix,
                         MatrixLayout layout);

// Sparse matrices, in the coordinate layout. Entries that are stored stay stored, zeros too.
Eigen::SparseMatrix<double, Eigen::RowMajor> read_sparse_matrix_market(
    const std::filesystem::path& file, int rows, int columns);
void write_matrix_market(const std::filesystem::path& file,
                         const Eigen::SparseMatrix<double, Eigen::RowMajor>& matrix);

}  // namespace tact
