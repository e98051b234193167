// Changes numbers in a recording behind tact's back, as a faulty disk or a hand would.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace tact {

using Change = std::function<double(double)>;

inline std::string frame_path(int k)
{
  const std::string number = std::to_string(k);
  return "/frames/" + std::string(8 - number.size(), '0') + number;
}

// Entry `index` of a table of plain doubles.
inline void tamper_number(const std::filesystem::path& file, const std::string& table,
                          std::size_t index, const Change& change)
{
  const hid_t h5 = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  REQUIRE(h5 >= 0);
  const hid_t set = H5Dopen2(h5, table.c_str(), H5P_DEFAULT);
  REQUIRE(set >= 0);
  const hid_t space = H5Dget_space(set);
  std::vector<double> numbers(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
  numbers.at(index) = change(numbers.at(index));
  CHECK(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) >= 0);
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(h5);
}

// The first number of a column, in the first row of `bytes`.
template <class Number = double>
void change_column(std::vector<std::byte>& bytes, hid_t type, const std::string& column,
                   const Change& change)
{
  const int member = H5Tget_member_index(type, column.c_str());
  REQUIRE(member >= 0);
  std::byte* place = bytes.data() + H5Tget_member_offset(type, static_cast<unsigned>(member));
  Number number = 0;
  std::memcpy(&number, place, sizeof number);
  number = static_cast<Number>(change(static_cast<double>(number)));
  std::memcpy(place, &number, sizeof number);
}

// The first number of a column, in row 0 of a table with columns.
inline void tamper_column(const std::filesystem::path& file, const std::string& table,
                          const std::string& column, const Change& change)
{
  const hid_t h5 = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t set = H5Dopen2(h5, table.c_str(), H5P_DEFAULT);
  REQUIRE(set >= 0);
  const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
  const auto rows = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  REQUIRE(rows > 0);
  std::vector<std::byte> bytes(rows * H5Tget_size(type));
  H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
  change_column(bytes, type, column, change);
  CHECK(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0);
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(h5);
}

// A column of an attribute of a frame: its "certificate" or its "account".
template <class Number>
void tamper_attribute(const std::filesystem::path& file, int frame, const std::string& name,
                      const std::string& column, const Change& change)
{
  const hid_t h5 = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t group = H5Gopen2(h5, frame_path(frame).c_str(), H5P_DEFAULT);
  const hid_t attribute = H5Aopen(group, name.c_str(), H5P_DEFAULT);
  REQUIRE(attribute >= 0);
  const hid_t type = H5Aget_type(attribute);
  std::vector<std::byte> bytes(H5Tget_size(type));
  H5Aread(attribute, type, bytes.data());
  change_column<Number>(bytes, type, column, change);
  CHECK(H5Awrite(attribute, type, bytes.data()) >= 0);
  H5Tclose(type);
  H5Aclose(attribute);
  H5Gclose(group);
  H5Fclose(h5);
}

inline void tamper_certificate(const std::filesystem::path& file, int frame,
                               const std::string& column, const Change& change)
{
  tamper_attribute<double>(file, frame, "certificate", column, change);
}

// A number that the whole recording has.
template <class Number>
void set_root_attribute(const std::filesystem::path& file, const std::string& name, hid_t type,
                        Number number)
{
  const hid_t h5 = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t attribute = H5Aopen(h5, name.c_str(), H5P_DEFAULT);
  REQUIRE(attribute >= 0);
  CHECK(H5Awrite(attribute, type, &number) >= 0);
  H5Aclose(attribute);
  H5Fclose(h5);
}

// What a tact wrote that knew neither tolerances nor accounts.
inline void make_format_2(const std::filesystem::path& file, int frames)
{
  set_root_attribute<std::int32_t>(file, "format_version", H5T_NATIVE_INT32, 2);
  const hid_t h5 = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  CHECK(H5Adelete(h5, "tolerance") >= 0);
  for (int k = 0; k < frames; ++k)
    CHECK(H5Adelete_by_name(h5, frame_path(k).c_str(), "account", H5P_DEFAULT) >= 0);
  H5Fclose(h5);
}

inline void delete_object(const std::filesystem::path& file, const std::string& path)
{
  const hid_t h5 = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  CHECK(H5Ldelete(h5, path.c_str(), H5P_DEFAULT) >= 0);
  H5Fclose(h5);
}

}  // namespace tact
