#include "core/flat_file.h"

#include <cstring>

namespace spidercap {
namespace {

constexpr uint32_t byte_order_mark = 0x01020304;

std::vector<char> bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

}  // namespace

void FlatChecksum::add(const char* data, size_t size) {
  constexpr uint64_t multiplier = 0x9E3779B97F4A7C15;
  for (; size >= 8; data += 8, size -= 8) {
    uint64_t part;
    std::memcpy(&part, data, 8);
    state_ = (state_ ^ part) * multiplier;
    state_ ^= state_ >> 31;
  }
  for (; size > 0; ++data, --size) state_ = (state_ ^ static_cast<unsigned char>(*data)) * multiplier;
}

FlatWriter::FlatWriter(const std::filesystem::path& path, std::string_view magic, uint32_t version,
                       std::string_view key)
    : file_(path, std::ios::binary | std::ios::trunc), name_(path.string()) {
  if (!file_) throw FlatFileError(name_ + " cannot be written");
  (*this)(bytes_of(magic));
  (*this)(std::vector<uint32_t>{version, byte_order_mark});
  (*this)(bytes_of(key));
}

void FlatWriter::write(const void* data, size_t size) {
  if (size == 0) return;
  checksum_.add(static_cast<const char*>(data), size);
  file_.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  if (!file_) throw FlatFileError(name_ + " cannot be written: no space or no permission");
}

void FlatWriter::finish() {
  const uint64_t sum = checksum_.value();
  write(&sum, sizeof sum);
  file_.close();
  if (!file_) throw FlatFileError(name_ + " cannot be written: no space or no permission");
}

FlatReader::FlatReader(const std::filesystem::path& path, std::string_view magic, uint32_t version,
                       std::string_view key)
    : file_(path, std::ios::binary), name_(path.string()) {
  std::error_code error;
  left_ = std::filesystem::file_size(path, error);
  if (!file_ || error) throw FlatFileError(name_ + " cannot be read");
  std::vector<char> found;
  std::vector<uint32_t> numbers;
  (*this)(found);
  if (found != bytes_of(magic)) throw FlatFileError(name_ + " is not a file of this kind");
  (*this)(numbers);
  if (numbers != std::vector<uint32_t>{version, byte_order_mark})
    throw FlatFileError(name_ + " was written by another version or on another kind of machine; remove it");
  (*this)(found);
  if (found != bytes_of(key)) throw FlatFileError(name_ + " was made from other references; remove it");
}

void FlatReader::read(void* data, size_t size) {
  if (size == 0) return;
  if (size > left_ || !file_.read(static_cast<char*>(data), static_cast<std::streamsize>(size)))
    throw FlatFileError(name_ + " is cut short or damaged; remove it");
  left_ -= size;
  checksum_.add(static_cast<const char*>(data), size);
}

void FlatReader::finish() {
  const uint64_t expected = checksum_.value();
  uint64_t found = 0;
  read(&found, sizeof found);
  if (found != expected || left_ != 0) throw FlatFileError(name_ + " is cut short or damaged; remove it");
}

}  // namespace spidercap
