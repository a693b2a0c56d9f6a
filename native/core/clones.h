// SPIDERCAP_CLONES before a function compiles it twice, for any processor of the architecture and for those with AVX2
// (and so with a popcount instruction), and picks at load time. Results are the same. Where compilers, or the
// sanitizers, do not know how, it does nothing.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && \
    !defined(__SANITIZE_ADDRESS__)
#define SPIDERCAP_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define SPIDERCAP_CLONES
#endif
