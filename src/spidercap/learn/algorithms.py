"""The algorithms by name."""

from spidercap.learn.algorithm import AlgorithmSettings
from spidercap.learn.leave_one_out import LeaveOneOutSettings
from spidercap.learn.mixer import MixerSettings
from spidercap.learn.mle import MaximumLikelihoodSettings
from spidercap.learn.policy_gradient import PolicyGradientSettings
from spidercap.learn.self_critical import SelfCriticalSettings

ALGORITHMS: dict[str, type[AlgorithmSettings]] = {
    "mle": MaximumLikelihoodSettings,
    "pg": PolicyGradientSettings,
    "mixer": MixerSettings,
    "scst": SelfCriticalSettings,
    "rloo": LeaveOneOutSettings,
}
