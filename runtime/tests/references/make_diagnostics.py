"""Reference values for the diagnostics of chains, computed by ArviZ.

    pip install arviz==0.23.4 numpy==2.4.6 scipy==1.17.1 xarray==2026.9.0 pandas==3.1.1
    python3 make_diagnostics.py > diagnostics.tsv

Draws come from a generator that uses sums, products and quotients of doubles only, so the test makes the same bits. Each line is
a case, a statistic and its value; values parse back to the same double.
"""

import warnings

import arviz as az
import numpy as np
from scipy.stats import norm, beta

warnings.filterwarnings("ignore")

MASK = 2**64 - 1


class Uniform:
    """splitmix64; the upper 53 bits, divided by 2^53."""

    def __init__(self, seed):
        self.state = seed

    def __call__(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return float((z ^ (z >> 31)) >> 11) / 2.0**53


def draws(kind, chains, num, seed):
    uniform = Uniform(seed)
    out = np.empty((chains, num))
    for c in range(chains):
        x = 0.0
        for t in range(num):
            u = uniform()
            e = uniform() + uniform() + uniform() + u - 2.0
            if kind == "ar":
                x = 0.9 * x + e
            elif kind == "antithetic":
                x = -0.5 * x + e
            elif kind == "alternating":
                x = -0.95 * x + e
            elif kind == "shifted":
                x = e + 0.25 * c
            elif kind == "scaled":
                x = e * (1.0 + c)
            elif kind == "heavy":
                x = (2.0 * u - 1.0) / (4.0 * u * (1.0 - u))
            elif kind == "counts":
                x = float(int(6.0 * u * u))
            elif kind == "tenths":
                x = 0.1 * float(int(6.0 * u)) + 0.1
            elif kind == "mostly_zero":
                x = 1.0 if u < 0.02 else 0.0
            elif kind == "constant":
                x = 2.5
            elif kind == "stuck":
                x = float(c) + 0.5
            elif kind == "tiny":
                x = (e + 3.0) * 2.0**-40
            elif kind == "trend":
                x = e + t / num
            else:
                x = e
            out[c, t] = x
    if kind == "nan":
        out[1, 7] = np.nan
    if kind == "infinite":
        out[1, 7] = np.inf
    return out


CASES = [
    ("iid", 4, 500, 1),
    ("ar", 4, 500, 2),
    ("antithetic", 4, 500, 3),
    ("alternating", 2, 300, 4),
    ("shifted", 4, 250, 5),
    ("scaled", 3, 250, 6),
    ("heavy", 4, 400, 7),
    ("counts", 4, 300, 8),
    ("mostly_zero", 4, 250, 9),
    ("constant", 4, 100, 10),
    ("stuck", 3, 50, 11),
    ("tiny", 4, 200, 12),
    ("trend", 2, 333, 13),
    ("ar", 1, 501, 14),
    ("iid", 1, 100, 15),
    ("ar", 3, 77, 16),
    ("counts", 2, 51, 17),
    ("iid", 2, 4, 18),
    ("iid", 4, 5, 19),
    ("iid", 3, 7, 20),
    ("iid", 3, 9, 25),
    ("iid", 2, 3, 21),
    ("iid", 1, 2, 22),
    ("nan", 2, 40, 23),
    ("infinite", 2, 40, 24),
    ("ar", 4, 4000, 26),
    ("tenths", 4, 300, 27),
    ("tenths", 2, 77, 28),
    ("tenths", 3, 100, 29),
]


def line(*fields):
    print("\t".join(repr(float(f)) if isinstance(f, (float, np.floating, np.integer)) else str(f) for f in fields))


print("# made by make_diagnostics.py: case, chains, draws, seed, statistic, value")
for kind, chains, num, seed in CASES:
    x = draws(kind, chains, num, seed)
    case = (kind, chains, num, seed)
    summary = az.summary({"x": x}, round_to="none").loc["x"]
    for name in summary.index:
        line(*case, "summary " + name, summary[name])
    line(*case, "r_hat", az.rhat(x) if num > 1 else np.nan)
    line(*case, "ess_bulk", az.ess(x, method="bulk"))
    line(*case, "ess_tail", az.ess(x, method="tail"))
    line(*case, "ess_mean", az.ess(x, method="mean"))
    line(*case, "mcse_mean", az.mcse(x, method="mean"))
    line(*case, "mcse_sd", az.mcse(x, method="sd"))
    for p in (0.05, 0.3, 0.5, 0.95):
        line(*case, f"quantile {p}", az.stats.stats_utils.quantile(x.ravel(), p)[0])
    for p in (0.5, 0.89):
        low, high = az.hdi(x.ravel(), hdi_prob=p)
        line(*case, f"hdi_low {p}", low)
        line(*case, f"hdi_high {p}", high)

for p in (2.5e-6, 1e-4, 0.00625, 0.1, 0.5, 0.62, 0.975, 0.9999):
    line("normal", 0, 0, 0, f"inverse {p}", norm.ppf(p))
for p in (0.1586553, 0.8413447):
    for a, b in ((1.3, 2.1), (1.0, 5.0), (5.0, 96.0), (201.5, 3801.25), (2001.0, 2001.0), (20001.5, 1052.6), (1.0001, 90000.0)):
        line("beta", 0, 0, 0, f"inverse {p} {a} {b}", beta.ppf(p, a, b))
