"""Reference values for the channels, the Bessel law and the special functions.

    pip install mpmath && python3 make_references.py

Sixty working digits, printed to 25. Every sum below has positive terms only and stops when a term no longer changes
sixty digits, so nothing here shares a truncation or a cancellation with the implementation under test.
Inputs are doubles, printed so that they parse back to the same bits.
"""

from mpmath import mp, mpf, log, exp, floor, sqrt, loggamma, digamma, besseli

mp.dps = 60


def below(c, x):
    """sum over y <= c of x^(y-c) c!/y!, from y = c downwards; only for x > c / 2 or small c."""
    term = total = mpf(1)
    for j in range(c):
        term = term * (c - j) / x
        total += term
        if term < total * mpf(10) ** -58:
            break
    return total


def above(c, x):
    """sum over y > c of x^(y-c) c!/y!."""
    term, total, j = mpf(1), mpf(0), 0
    while True:
        j += 1
        term = term * x / (c + j)
        total += term
        if term < total * mpf(10) ** -58 and c + j > x:
            return total


def two_sided_geometric(alpha, rate, c):
    """ln P(c | rate) and E[y | rate, c]."""
    a, r = mpf(alpha), mpf(rate)
    k = log((1 - a) / (1 + a))
    if c <= 0:
        return k - c * log(a) - (1 - a) * r, r * a
    x, z = r / a, r * a
    if c <= 2000 and r <= 10**5:
        # Term by term over y, relative to the term at y = 0.
        term = total = a**c
        moment = mpf(0)
        y = 0
        while True:
            y += 1
            term = term * r / y * (1 / a if y <= c else a)
            total += term
            moment += y * term
            if y > c and y > z and term * y < moment * mpf(10) ** -58:
                break
        return k - r + log(total), moment / total
    # Large c or rate: relative to the term at y = c.
    ln_c = c * log(r) - r - loggamma(c + 1)
    if x < c:
        mp.dps = 100
        ln_all = x - c * log(x) + loggamma(c + 1)
        tail = above(c, x)
        ln_low = ln_all + mp.log1p(-tail * exp(-ln_all))
        ln_low_1 = ln_all + mp.log1p(-(tail + 1) * exp(-ln_all))
        mp.dps = 60
    else:
        low = below(c, x)
        ln_low, ln_low_1 = log(low), log(mpf(c) / x * below(c - 1, x))
    if z > c:
        mp.dps = 100
        ln_all = z - c * log(z) + loggamma(c + 1)
        part = below(c, z)
        ln_high = ln_all + mp.log1p(-part * exp(-ln_all))
        ln_high_1 = ln_all + mp.log1p(-(part - 1) * exp(-ln_all))
        mp.dps = 60
    else:
        high = above(c, z)
        ln_high, ln_high_1 = log(high), log(1 + high)
    top = max(ln_low, ln_high)
    total = exp(ln_low - top) + exp(ln_high - top)
    moment = x * exp(ln_low_1 - top) + z * exp(ln_high_1 - top)
    return k + ln_c + top + log(total), moment / total


def write_two_sided_geometric():
    cells = []
    for alpha in (0.01, 0.05, 0.37, 0.6, 0.9, 0.99):
        for rate in (1e-8, 1e-3, 0.1, 1.0, 5.0, 30.0, 300.0, 1000.0):
            for c in (-1000, -3, 0, 1, 2, 5, 20, 40, 65, 300, 1000):
                cells.append((alpha, rate, c))
    # Where the implementation changes from finite sums to tails: rate / alpha = 64, and rates close to the release.
    for alpha in (0.01, 0.37, 0.9):
        for x in (63.999, 64.0, 64.001, 70.0):
            for c in (1, 60, 64, 80, 200):
                cells.append((alpha, x * alpha, c))
    for alpha in (0.37, 0.99):
        for c in (499, 500, 501, 760, 1000):
            for f in (alpha * 0.99, alpha, alpha * 1.05, 0.97, 1.0, 1.03, 0.99 / alpha, 1 / alpha, 1.4 / alpha):
                if c * f <= 1000:
                    cells.append((alpha, c * f, c))
    for alpha in (0.01, 0.37, 0.9, 0.99):
        for c in (5000, 2**20):
            for rate in (1e-8, 1.0, 0.5 * c, c * alpha, 1.0 * c, c / alpha, 1e7):
                cells.append((alpha, rate, c))
        for c in (1, 1000):
            cells += [(alpha, 1e10, c), (alpha, 1e6, c)]
    for alpha in (0.01, 0.37, 0.99):
        cells += [(alpha, rate, 2**31) for rate in (1e-8, 1e3, 1e9, 2.0**31 * alpha, 2.0**31, 1e10)]
    # The corners: noise a billion times as wide as a count, noise that is hardly there, and rates beyond all counts.
    for alpha in (1e-12, 1e-9, 1e-6, 1 - 2**-13, 1 - 1e-6, 1 - 1e-9):
        for rate in (1e-8, 1.0, 64 * alpha, 1e4, 1e6):
            cells += [(alpha, rate, c) for c in (-(2**31), -1, 0, 1, 2, 65, 2000, 2**20, 2**31)]
        for rate in (2.0**31 * alpha, 2.0**31, 2.0**31 + 46341, 2.2e9, 1e12):
            cells += [(alpha, rate, c) for c in (-1000, 1, 2, 65, 2000, 2**20, 2**31)]
        for c, steps in ((2**20, (-30, -3, -0.3, 0.1, 1, 10)), (2**31, (-3, 1))):
            cells += [(alpha, (c + step * float(sqrt(c))) * f, c) for step in steps for f in (alpha, 1.0, 1 / alpha) if f < 10]
    with open("../../../release/tests/references/two_sided_geometric.tsv", "w") as out:
        out.write("alpha\trate\tc\tln_marginal\texpect\n")
        for alpha, rate, c in cells:
            ln_marginal, mean = two_sided_geometric(alpha, rate, c)
            out.write(f"{alpha!r}\t{rate!r}\t{c}\t{mp.nstr(ln_marginal, 25)}\t{mp.nstr(mean, 25)}\n")


def bessel(order, argument):
    """ln I, the ratio I_{order+1} / I_order, mean, variance, the mode and a function n -> ln pmf."""
    nu, q = mpf(order), mpf(argument) ** 2 / 4
    mode = int(floor((sqrt(4 * q + nu**2) - nu) / 2))
    # Weights outwards from the mode, relative to the weight there.
    sums = [mpf(1), mpf(0), mpf(0)]
    for step in (1, -1):
        term, n = mpf(1), mode
        while n > 0 or step == 1:
            term = term * q / ((n + 1) * (n + 1 + nu)) if step == 1 else term * n * (n + nu) / q
            n += step
            for power in range(3):
                sums[power] += term * (n - mode) ** power
            if term * (n - mode) ** 2 < sums[0] * mpf(10) ** -65 and abs(n - mode) > 3:
                break
    ln_at_mode = (2 * mode + nu) * log(mpf(argument) / 2) - loggamma(mode + 1) - loggamma(mode + nu + 1)
    ln_i = ln_at_mode + log(sums[0])
    offset = sums[1] / sums[0]
    mean, variance = mode + offset, sums[2] / sums[0] - offset**2

    def ln_pmf(n):
        return (2 * n + nu) * log(mpf(argument) / 2) - loggamma(n + 1) - loggamma(n + nu + 1) - ln_i

    if argument < 1:
        # Small means are the part above the mode, which is zero: no offset to add.
        assert mode == 0
    return ln_i, 2 * mean / mpf(argument), mean, variance, mode, ln_pmf


def write_bessel():
    with open("bessel.tsv", "w") as out:
        out.write("order\targument\tln_i\tratio\tmean\tvariance\tn\tln_pmf\n")
        for order in (0, 1, 2, 7, 30, 63, 64, 1000, 10**6):
            for argument in (1e-12, 1e-3, 0.5, 1.1, 4.1, 20.0, 45.0, 63.9, 64.1, 300.0, 1e4, 1e6, 1e8):
                ln_i, ratio, mean, variance, mode, ln_pmf = bessel(order, argument)
                width = int(3 * sqrt(variance)) + 2
                for n in sorted({max(0, mode - width), mode, mode + width}):
                    fields = (ln_i, ratio, mean, variance)
                    text = "\t".join(mp.nstr(f, 25) for f in fields)
                    out.write(f"{order}\t{argument!r}\t{text}\t{n}\t{mp.nstr(ln_pmf(n), 25)}\n")


def write_special():
    """name, two arguments, value."""
    with open("special.tsv", "w") as out:
        out.write("function\tx\ty\tvalue\n")
        for x in (1e-3, 0.01, 0.1, 0.5, 1.0, 1.3, 1.4, 1.4616, 1.5, 1.7, 2.0, 3.7, 5.999, 6.0, 6.001, 10.0, 31.5, 1e3, 1e6, 1e12):
            out.write(f"digamma\t{x!r}\t0\t{mp.nstr(digamma(mpf(x)), 25)}\n")
            out.write(f"ln_gamma\t{x!r}\t0\t{mp.nstr(loggamma(mpf(x)), 25)}\n")
        for n in (0, 1, 2, 15, 16, 17, 127, 128, 129, 1000, 10**6, 2**31):
            out.write(f"ln_factorial\t{n}\t0\t{mp.nstr(loggamma(mpf(n) + 1), 25)}\n")
        for c in (0, 1, 2, 5, 20, 40, 499, 500, 800, 1000, 10**5, 2**31):
            for f in (1e-9, 1e-3, 0.3, 0.74, 0.76, 0.9, 0.97, 0.999, 1.0, 1.001, 1.03, 1.1, 1.32, 1.35, 3.0, 50.0):
                r = (c + 0.5) * f
                x = mpf(r)
                mp.dps = 80
                ln_pmf = c * log(x) - x - loggamma(c + 1)
                if x > c:
                    lower = exp(ln_pmf) * below(c, x)
                    ln_cdf, ln_sf = ln_pmf + log(below(c, x)), mp.log1p(-lower)
                    if lower > 0.99:
                        ln_sf = ln_pmf + log(above(c, x))
                else:
                    upper = exp(ln_pmf) * above(c, x)
                    ln_cdf, ln_sf = mp.log1p(-upper), ln_pmf + log(above(c, x))
                mp.dps = 60
                out.write(f"ln_poisson_pmf\t{c}\t{r!r}\t{mp.nstr(ln_pmf, 25)}\n")
                out.write(f"ln_poisson_cdf\t{c}\t{r!r}\t{mp.nstr(ln_cdf, 25)}\n")
                out.write(f"ln_poisson_sf\t{c}\t{r!r}\t{mp.nstr(ln_sf, 25)}\n")


def by_enumeration(rate, weight, last):
    """ln sum_y Pois(y; rate) weight(y), and E[y]: term by term over y; `last` is beyond all kinks of the weight."""
    r = mpf(rate)
    poisson = exp(-r)
    total, moment, y = poisson * weight(0), mpf(0), 0
    while True:
        y += 1
        poisson = poisson * r / y
        term = poisson * weight(y)
        total += term
        moment += y * term
        if y > last and y > 2 * r and term * y < moment * mpf(10) ** -58:
            return log(total), moment / total


def skellam(lam, rate, c):
    x, y = mpf(rate) + mpf(lam), mpf(lam)
    ln_i, _, mean, *_ = bessel(abs(c), 2 * sqrt(x * y))
    ln_marginal = -x - y + mpf(c) / 2 * log(x / y) + ln_i
    return ln_marginal, mpf(rate) / x * (mean + max(c, 0))


def laplace(scale, bits, rate, c):
    """On multiples of 2^-bits; with bits None, a density."""
    b, c = mpf(scale), mpf(c)
    step = None if bits is None else exp(-1 / (b * 2**bits))
    constant = -log(2 * b) if bits is None else log((1 - step) / (1 + step))
    power = exp(-1 / b)
    ln_sum, mean = by_enumeration(rate, lambda y: power ** abs(c - y), max(c, 0))
    return constant + ln_sum, mean


def truncated(alpha, rate, c):
    a = mpf(alpha)
    if c == 0:
        return by_enumeration(rate, lambda y: a**y / (1 + a), 0)
    return two_sided_geometric(alpha, rate, c)


def at_least_one(rate, c):
    r = mpf(rate)
    return (mp.log1p(-exp(-r)), r / -mp.expm1(-r)) if c else (-r, mpf(0))


def write_mechanisms():
    """name, two parameters, rate, release, ln marginal, mean."""
    mp.dps = 60
    rates = (1e-8, 1e-3, 0.1, 1.0, 5.0, 30.0, 300.0, 1000.0)
    with open("../../../release/tests/references/mechanisms.tsv", "w") as out:
        out.write("mechanism\tp\tq\trate\tc\tln_marginal\texpect\n")

        def write(name, p, q, rate, c, values):
            values = "\t".join(mp.nstr(v, 25) for v in values)
            out.write(f"{name}\t{p!r}\t{q!r}\t{rate!r}\t{c!r}\t{values}\n")

        for rate in rates:
            for c in (0, 1):
                write("AtLeastOne", 0, 0, rate, c, at_least_one(rate, c))
            for alpha in (0.01, 0.37, 0.99):
                for c in (0, 1, 20, 1000):
                    write("TruncatedGeometric", alpha, 0, rate, c, truncated(alpha, rate, c))
            for lam in (1e-3, 0.5, 20.0, 1e3, 1e6):
                for c in (-1000, -3, 0, 1, 20, 65, 1000):
                    write("Skellam", lam, 0, rate, c, skellam(lam, rate, c))
            for scale in (0.2, 1.0, 7.0, 100.0):
                for c in (-1000.25, -0.5, 0.0, 0.25, 1.0, 1.75, 20.5, 300.0, 999.75):
                    write("Laplace", scale, 2, rate, c, laplace(scale, 2, rate, c))
                for c in (-0.7, 0.3, 2.9, 511.1):
                    write("ContinuousLaplace", scale, 0, rate, c, laplace(scale, None, rate, c))
        for lam in (0.5, 1e6):
            for c in (-(2**20), 2**20):
                for rate in (1e-8, 1.0, 1e6, 1e7):
                    write("Skellam", lam, 0, rate, c, skellam(lam, rate, c))


if __name__ == "__main__":
    assert abs(bessel(3, 2.5)[0] - log(besseli(3, mpf(2.5)))) < mpf(10) ** -50
    write_special()
    write_bessel()
    write_two_sided_geometric()
    write_mechanisms()
