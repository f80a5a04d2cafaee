"""Opens a saved fit in NumPy and ArviZ, and compares what `az.summary` says of it with what the fit says.

    python check.py fit.npz fit.zarr summary.tsv cavi.npz cavi.zarr streamed.zarr criteria.tsv streamed.zarr

The third file holds the rows of `summary()`, each number with all its digits; the next two are a variational fit of the same
model, then come the store to which the run wrote its draws, and WAIC and leave-one-out by the fit. Ends with 1 if anything differs.
"""

import json
import sys

import arviz as az
import numpy as np
import pandas as pd
import xarray as xr

# Columns of ArviZ by those of the fit.
COLUMNS = {
    "mean": "mean",
    "sd": "sd",
    "hdi_3%": "hdi_low",
    "hdi_97%": "hdi_high",
    "mcse_mean": "mcse_mean",
    "mcse_sd": "mcse_sd",
    "ess_bulk": "ess_bulk",
    "ess_tail": "ess_tail",
    "r_hat": "r_hat",
}


def compare(name, data, expected):
    """Every row of the fit's summary, by ArviZ."""
    found = az.summary(data, var_names=["y.mean_rate", "y.rate"], round_to="none")
    lp = az.summary(data, group="sample_stats", var_names=["lp"], round_to="none")
    found = pd.concat([lp, found])
    found.index = [
        row.replace("lp", "ln_joint").replace("y.mean_rate", "mean of y").replace("y.rate[", "y[") for row in found.index
    ]
    assert list(found.index) == list(expected.index), (name, list(found.index)[:5], list(expected.index)[:5])
    worst = 0.0
    for theirs, ours in COLUMNS.items():
        a, b = found[theirs].to_numpy(dtype=float), expected[ours].to_numpy(dtype=float)
        if ours == "mcse_sd":
            # Of a constant ArviZ divides zero by zero.
            a = np.where(expected["sd"].to_numpy(dtype=float) == 0.0, 0.0, a)
        assert (np.isnan(a) == np.isnan(b)).all(), (name, ours)
        off = np.nanmax(np.abs(a - b) / np.maximum(np.abs(b), 1e-300))
        worst = max(worst, off)
        assert off < 1e-6, (name, ours, off)
    print(f"{name}: {len(found)} rows by {len(COLUMNS)} columns within {worst:.1e}")


def variational(npz, store):
    """The draws of a variational fit are draws of its posteriors, and it says what was promised about its data."""
    fit = np.load(npz, allow_pickle=False)
    tree = xr.open_datatree(store, engine="zarr")
    assert tree.attrs["counts"][0]["channel"] == "TwoSidedGeometric", tree.attrs
    assert tree.attrs["counts"][0]["promise"], tree.attrs
    found = az.summary(az.InferenceData.from_datatree(tree), var_names=["theta", "phi"], round_to="none")
    parameters = tree["variational"]
    assert parameters["phi.mean"].dims == ("topics", "words"), parameters["phi.mean"].dims
    mean = np.concatenate([parameters[f"{name}.mean"].to_numpy().ravel() for name in ("theta", "phi")])
    saved = np.concatenate([fit[f"variational/{name}.mean"].ravel() for name in ("theta", "phi")])
    assert (mean == saved).all()
    shape = np.concatenate([parameters[f"{name}.shape"].to_numpy().ravel() for name in ("theta", "phi")])
    # The standard deviation of the mean of 1,000 draws of a gamma; 33 means within 5 of them, by chance once in 50,000.
    off = np.abs(found["mean"].to_numpy(dtype=float) - mean) / (mean / np.sqrt(1000 * shape))
    assert off.max() < 5, off.max()
    print(f"variational: {len(found)} means within {off.max():.1f} standard errors")


def criteria(data, path):
    """WAIC and leave-one-out by ArviZ, with the relative efficiency that the fit was given."""
    with open(path, encoding="utf-8") as file:
        ours = {name: np.array(numbers, dtype=float) for name, *numbers in (line.split("\t") for line in file)}
    waic = az.waic(data, pointwise=True)
    loo = az.loo(data, pointwise=True, reff=0.7)
    theirs = {
        "waic": [waic.elpd_waic, waic.se, waic.p_waic],
        "loo": [loo.elpd_loo, loo.se, loo.p_loo],
        "waic_i": waic.waic_i.to_numpy(),
        "loo_i": loo.loo_i.to_numpy(),
        "pareto_k": loo.pareto_k.to_numpy(),
    }
    off = {name: np.abs(np.array(theirs[name]) - ours[name]).max() for name in ours}
    assert max(off.values()) < 1e-8, off
    print(f"criteria: waic and loo of {len(ours['loo_i'])} cells within {max(off.values()):.1e}")


def main(npz, store, summary, npz_of_cavi, store_of_cavi, streamed, criteria_of_fit):
    expected = pd.read_csv(summary, sep="\t", index_col=0)

    fit = np.load(npz, allow_pickle=False)
    meta = json.loads(fit["meta"].tobytes())
    assert meta["counts"][0]["dims"] == ["docs", "words"], meta
    posterior = {name.removeprefix("posterior/"): fit[name] for name in fit if name.startswith("posterior/")}
    data = az.from_dict(
        posterior=posterior,
        sample_stats={"lp": fit["sample_stats/lp"]},
        coords={name.removeprefix("coords/"): fit[name] for name in fit if name.startswith("coords/")},
        dims={name: meta["dims"]["posterior/" + name][2:] for name in posterior},
    )
    compare("npz", data, expected)

    run = xr.open_datatree(streamed, engine="zarr")
    compare("streamed", az.InferenceData.from_datatree(run), expected)
    tree = xr.open_datatree(store, engine="zarr")
    compare("zarr", az.InferenceData.from_datatree(tree), expected)
    for group in ("posterior", "sample_stats"):
        xr.testing.assert_identical(run[group].to_dataset().drop_attrs(), tree[group].to_dataset().drop_attrs())
    phi = tree["posterior"]["phi"]
    assert phi.dims == ("chain", "draw", "topics", "words"), phi.dims
    assert (phi.to_numpy() == fit["posterior/phi"]).all()
    words = [str(word) for word in phi["words"].to_numpy()]
    assert words == [str(word) for word in fit["coords/words"]], words
    assert words[0] == "wort-ä0", words
    assert tree["posterior"]["theta"]["docs"].to_numpy().tolist() == list(range(phi.sizes["words"] + 1))
    assert tree.attrs["counts"][0]["promise"], tree.attrs
    print("datatree: axes, labels, promises and draws")
    criteria(az.InferenceData.from_datatree(tree), criteria_of_fit)
    variational(npz_of_cavi, store_of_cavi)


if __name__ == "__main__":
    main(*sys.argv[1:])
