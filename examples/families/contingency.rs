//! Two tables of the same people, released one by one: applicants by department and decision, and by department and gender. How many
//! applied to each department was not released; each table says something of it, and both together more.
//!
//! `cargo run --release --example contingency`.

use skellam::prelude::*;

model! {
    /// Decisions and genders of applicants by department.
    pub model Contingency {
        index departments, decisions, genders;
        total people;

        latent share[i in departments] ~ Dirichlet(concentration = 1.0, along = i);
        latent admit[i in departments, j in decisions] ~ Dirichlet(concentration = 1.0, along = j);
        latent gender[i in departments, g in genders]  ~ Dirichlet(concentration = 1.0, along = g);

        hidden applied[i in departments] ~ Multinomial(people, share[i], along = i);
        count decided[i in departments, j in decisions] ~ Multinomial(applied[i], admit[i, j], along = j);
        count gendered[i in departments, g in genders] ~ Multinomial(applied[i], gender[i, g], along = g);

        release decided by TwoSidedGeometric;
        release gendered by TwoSidedGeometric;
    }
}

/// How many people applied, which is public.
const PEOPLE: u64 = 262;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let decisions = Sensitive::read("examples/data/contingency.decisions.tsv", &ReadOptions::default())?;
    let genders = Sensitive::read("examples/data/contingency.genders.tsv", &ReadOptions::default())?;
    // A person moves one count in each of two tables. Noise of a seed is for simulated counts; it hides nothing. For people of your own:
    // `decisions.release(&budget)?`, and the same of the other table.
    let budget = Lplp::moving(2, 1)?;
    let decided = &decisions.release_with_seed_for_simulation(&budget, 2)?;
    let gendered = &genders.release_with_seed_for_simulation(&budget, 3)?;

    let model = Contingency::new(ContingencyData { decided, gendered })?.people(PEOPLE);
    let fit = model.gibbs(&Gibbs {
        num_draws: 500,
        thin: Some(2),
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    println!("{}", fit.summary().verdict());

    let (least, most) = fit.share.interval(0.9)?;
    let (share, admit, gender) = (fit.share.mean()?, fit.admit.mean()?, fit.gender.mean()?);
    println!("department   applicants, 90 % interval   admitted   women");
    for i in 0..share.len() {
        let [mean, least, most] = [share[i], least[i], most[i]].map(|x| x * PEOPLE as f64);
        let [admitted, women] = [admit[(i, 0)], gender[(i, 0)]].map(|x| 100.0 * x);
        println!(
            "{:>10}   {mean:>8.0}  {least:>5.0} to {most:>4.0}       {admitted:>6.0} %  {women:>4.0} %",
            i + 1
        );
    }
    Ok(())
}
