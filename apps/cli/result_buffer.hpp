// What `tact` writes its results to. std::cout forgets why it could not write; a full disk is to be
// told in the same words whoever finds it.
#pragma once

#include <array>
#include <streambuf>
#include <string>

namespace tact::cli {

class ResultBuffer : public std::streambuf {
 public:
  // Of an open file. Who leaves without flush() loses what is still held.
  explicit ResultBuffer(int descriptor);

  // The errno of the first write that failed; 0: none has.
  int failure() const { return failure_; }

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  int descriptor_;
  int failure_ = 0;
  std::array<char, 16384> held_{};
};

// "cannot write the results: No space left on device"
std::string lost_results(int cause);

}  // namespace tact::cli
