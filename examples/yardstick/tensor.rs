//! Factorization of sparse exact counts of three or four indices: time of a sweep, memory.

use serde_json::{Map, Value, json};
use skellam::infer::{Ascent, Chain};
use skellam::model::{FormKind, Model};
use skellam::prelude::*;

use crate::clusters;
use crate::data::Failure;
use crate::flags::{Plain, Tensor};
use crate::meter::{Clock, Meter};

/// Shape of the gamma priors; their rate is 1.
const SHAPE: f64 = 0.1;

skellam::model! {
    /// CP of counts of three indices.
    pub model Cp {
        index rows, cols, times, components;
        hyper shape: positive = 0.1, scale: positive = 1.0;

        latent a[i in rows, k in components]  ~ Gamma(shape = shape, rate = scale);
        latent b[j in cols, k in components]  ~ Gamma(shape = shape, rate = scale);
        latent c[t in times, k in components] ~ Gamma(shape = shape, rate = scale);

        count y[i in rows, j in cols, t in times] ~ Poisson(sum(k in components) a[i, k] * b[j, k] * c[t, k]);
    }
}

skellam::model! {
    /// CP of counts of four indices.
    pub model CpOfFour {
        index rows, cols, times, kinds, components;
        hyper shape: positive = 0.1, scale: positive = 1.0;

        latent a[i in rows, k in components]  ~ Gamma(shape = shape, rate = scale);
        latent b[j in cols, k in components]  ~ Gamma(shape = shape, rate = scale);
        latent c[t in times, k in components] ~ Gamma(shape = shape, rate = scale);
        latent d[x in kinds, k in components] ~ Gamma(shape = shape, rate = scale);

        count y[i in rows, j in cols, t in times, x in kinds]
            ~ Poisson(sum(k in components) a[i, k] * b[j, k] * c[t, k] * d[x, k]);
    }
}

skellam::model! {
    /// Tucker factorization of counts of three indices.
    pub model Tucker {
        index rows, cols, times, row_groups, col_groups, time_groups;
        hyper shape: positive = 0.1, scale: positive = 1.0;

        latent a[i in rows, p in row_groups]   ~ Gamma(shape = shape, rate = scale);
        latent b[j in cols, q in col_groups]   ~ Gamma(shape = shape, rate = scale);
        latent c[t in times, r in time_groups] ~ Gamma(shape = shape, rate = scale);
        latent core[p in row_groups, q in col_groups, r in time_groups] ~ Gamma(shape = shape, rate = scale);

        count y[i in rows, j in cols, t in times]
            ~ Poisson(sum(p in row_groups, q in col_groups, r in time_groups) core[p, q, r] * a[i, p] * b[j, q] * c[t, r]);
    }
}

skellam::model! {
    /// Tucker factorization of counts of four indices.
    pub model TuckerOfFour {
        index rows, cols, times, kinds, row_groups, col_groups, time_groups, kind_groups;
        hyper shape: positive = 0.1, scale: positive = 1.0;

        latent a[i in rows, p in row_groups]   ~ Gamma(shape = shape, rate = scale);
        latent b[j in cols, q in col_groups]   ~ Gamma(shape = shape, rate = scale);
        latent c[t in times, r in time_groups] ~ Gamma(shape = shape, rate = scale);
        latent d[x in kinds, s in kind_groups] ~ Gamma(shape = shape, rate = scale);
        latent core[p in row_groups, q in col_groups, r in time_groups, s in kind_groups] ~ Gamma(shape = shape, rate = scale);

        count y[i in rows, j in cols, t in times, x in kinds]
            ~ Poisson(sum(p in row_groups, q in col_groups, r in time_groups, s in kind_groups)
                core[p, q, r, s] * a[i, p] * b[j, q] * c[t, r] * d[x, s]);
    }
}

/// A model of exact counts, which are dropped.
macro_rules! bound {
    ($model:ident, $counts:ident, $($size:ident($value:expr)),+) => {{
        let model = $model::exact(&$counts)?$(.$size($value))+.shape(SHAPE);
        drop($counts);
        model.bind(FormKind::Collapsed)?
    }};
}
pub fn measure(flags: &Tensor) -> Result<Map<String, Value>, Failure> {
    let shape = &flags.shape.0;
    if !matches!(shape.len(), 3 | 4) {
        return Err(format!("--shape {}: three or four sizes, as in 1000x1000x100", flags.shape).into());
    }
    let core = flags.core.as_ref().map(|core| &core.0[..]);
    if let (Some(core), Some(sizes)) = (core, &flags.core)
        && core.len() != shape.len()
    {
        return Err(format!(
            "--core {sizes}: a size for each of the {} of --shape {}",
            shape.len(),
            flags.shape
        )
        .into());
    }
    let asked = format!("--shape {} --nnz {}", flags.shape, flags.nnz);
    let counts = Counts::from_linear(shape.clone(), clusters::draw(shape, flags.nnz, flags.seed, &asked)?)?;
    let mut object = Map::new();
    object.extend([
        ("name".into(), json!("tensor")),
        ("shape".into(), json!(flags.shape.to_string())),
        ("nnz".into(), json!(counts.num_nonzero())),
        match &flags.core {
            Some(core) => ("core".into(), json!(core.to_string())),
            None => ("k".into(), json!(flags.k)),
        },
        ("prior_shape".into(), json!(SHAPE)),
        ("engine".into(), json!(flags.engine.to_string())),
        ("iters".into(), json!(flags.iters)),
        ("seed".into(), json!(flags.seed)),
        ("threads".into(), json!(flags.threads)),
    ]);
    // The counts go to the model, which stores them; memory is what the fit takes.
    match (core, shape.len()) {
        (None, 3) => fit(&mut object, flags, &bound!(Cp, counts, components(flags.k))),
        (None, _) => fit(&mut object, flags, &bound!(CpOfFour, counts, components(flags.k))),
        (Some(&[p, q, r]), _) => {
            let model = bound!(Tucker, counts, row_groups(p), col_groups(q), time_groups(r));
            fit(&mut object, flags, &model)
        }
        (Some(core), _) => {
            let &[p, q, r, s] = core else {
                unreachable!("a core has as many sizes as the data, three or four");
            };
            let model = bound!(
                TuckerOfFour,
                counts,
                row_groups(p),
                col_groups(q),
                time_groups(r),
                kind_groups(s)
            );
            fit(&mut object, flags, &model)
        }
    }?;
    Ok(object)
}

fn fit(object: &mut Map<String, Value>, flags: &Tensor, model: &dyn Model) -> Result<(), Failure> {
    let stored = model.views()[0].bytes() as f64 / f64::from(1 << 20);
    object.insert("stored_mib".into(), json!(stored));
    let pool = skellam::infer::pool(flags.threads)?;
    let meter = Meter::start();
    let mut clock = Clock::default();
    pool.install(|| match flags.engine {
        Plain::Gibbs => {
            let mut chain = Chain::new(model, flags.seed, 0);
            clock.tick();
            for _ in 0..flags.iters {
                chain.sweep();
                clock.tick();
            }
            chain.check()
        }
        Plain::Cavi => {
            let mut ascent = Ascent::new(model, CaviForm::Collapsed, CaviStart::Dispersed, flags.seed, 0);
            clock.tick();
            for _ in 0..flags.iters {
                ascent.iterate(0.0, false);
                clock.tick();
            }
            ascent.check()
        }
    })?;
    object.insert("ms_per_sweep".into(), json!(clock.median()));
    meter.report(object);
    Ok(())
}
