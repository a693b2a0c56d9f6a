#include "bind/module.h"

NB_MODULE(_native, m) {
  m.doc() = "Native core of spidercap.";
  spidercap::bind_words(m);
  spidercap::bind_ngram(m);
  spidercap::bind_meteor(m);
  spidercap::bind_spice(m);
  spidercap::bind_parser(m);
}
