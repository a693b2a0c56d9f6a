// Work on the items 0 … count-1 spread over threads: each thread takes blocks of items until none is left.
// What an item computes must not depend on the others, so results are the same for any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace spidercap {

// Calls work(first, last) for blocks that cover all items, on at most `threads` threads (0: as many as cores).
// Small batches stay on the calling thread. The first exception is thrown again here, after all threads ended.
template <typename Work>
void fork_join(size_t count, size_t threads, size_t block, const Work& work) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  threads = std::min(threads, (count + block - 1) / block);
  if (threads <= 1) {
    if (count > 0) work(size_t{0}, count);
    return;
  }
  std::atomic<size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_lock;
  const auto run = [&]() noexcept {
    try {
      for (size_t first; (first = next.fetch_add(block)) < count;) work(first, std::min(first + block, count));
    } catch (...) {
      const std::lock_guard guard(failure_lock);
      if (!failure) failure = std::current_exception();
      next.store(count);
    }
  };
  std::vector<std::thread> crew;
  crew.reserve(threads);
  try {
    for (size_t i = 1; i < threads; ++i) crew.emplace_back(run);
  } catch (const std::system_error&) {
    // No more threads to be had: those that started, and this one, do the work.
  }
  run();
  for (std::thread& thread : crew) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace spidercap
