// Vectors of plain numbers in one file: header (magic, version, byte order, the caller's key), the vectors one behind
// the other, each with its length, and a checksum. Reading checks every length before it allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace spidercap {

class FlatFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class FlatChecksum {
 public:
  void add(const char* data, size_t size);
  uint64_t value() const { return state_; }

 private:
  uint64_t state_ = 0xCBF29CE484222325;
};

class FlatWriter {
 public:
  FlatWriter(const std::filesystem::path& path, std::string_view magic, uint32_t version, std::string_view key);

  template <typename T>
  void operator()(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const uint64_t size = values.size();
    write(&size, sizeof size);
    write(values.data(), values.size() * sizeof(T));
  }
  void finish();

 private:
  void write(const void* data, size_t size);

  std::ofstream file_;
  std::string name_;
  FlatChecksum checksum_;
};

class FlatReader {
 public:
  FlatReader(const std::filesystem::path& path, std::string_view magic, uint32_t version, std::string_view key);

  template <typename T>
  void operator()(std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    uint64_t size = 0;
    read(&size, sizeof size);
    if (size > left_ / sizeof(T)) throw FlatFileError(name_ + " is cut short or damaged; remove it");
    values.resize(static_cast<size_t>(size));
    read(values.data(), values.size() * sizeof(T));
  }
  void finish();

 private:
  void read(void* data, size_t size);

  std::ifstream file_;
  std::string name_;
  uint64_t left_ = 0;
  FlatChecksum checksum_;
};

}  // namespace spidercap
